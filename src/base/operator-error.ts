// The error for a fault that the operator can correct. Must not: be thrown for a bug, whose stack is needed.

/** The message is one sentence for the operator. At start it is printed without a stack. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}
