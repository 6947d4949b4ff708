// A move that stopped without an unclear state: the message names the side that counts. It can be run again.

import { OperatorError } from '../base/operator-error.ts';

export class MoveStoppedError extends OperatorError {
  override readonly name = 'MoveStoppedError';
}
