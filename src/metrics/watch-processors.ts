// Measures the calls to processors: each processor of the registry is wrapped once. Must not: change what a call
// returns or throws, or look at anything in it but its outcome.

import { raceWithAbort } from '../base/abort.ts';
import { RejectedRequestError } from '../processors/check-response.ts';
import type { Processor, ProcessorKind, ProcessorRegistry } from '../processors/processor.ts';
import type { Recorder } from './recorder.ts';

/** As the label names it. */
type Operation = 'charge' | 'read' | 'capture' | 'void' | 'refund' | 'list' | 'list_refunds' | 'check';
type Result = 'ok' | 'refused' | 'failed' | 'timeout';

/** What a call returned, as far as it says whether the processor accepted it. */
type Outcome = { kind?: string; isOfRequest?: boolean } | readonly unknown[] | null | undefined;

/** A decline is a decision about the customer's money, not about our request. */
function resultOf(outcome: Outcome): Result {
  if (!outcome || !('kind' in outcome)) return 'ok';
  if (outcome.kind === 'bad') return 'refused';
  if (outcome.kind !== 'unavailable') return 'ok';
  return outcome.isOfRequest === true ? 'refused' : 'failed';
}

function resultOfError(error: unknown, signal: AbortSignal): Result {
  if (error instanceof RejectedRequestError) return 'refused';
  return signal.aborted ? 'timeout' : 'failed';
}

/** Runs a call, and measures it until it ends or its time is over: some never return. */
type Measure = <T>(operation: Operation, signal: AbortSignal, call: () => Promise<T>) => Promise<T>;

function createMeasure(recorder: Recorder, processor: string): Measure {
  return (operation, signal, call) => {
    const startedAt = performance.now();
    const record = (result: Result) => {
      recorder.count('paylink_processor_requests_total', { processor, operation, result });
      const seconds = (performance.now() - startedAt) / 1_000;
      recorder.observe('paylink_processor_request_duration_seconds', { processor, operation }, seconds);
    };
    const called = call();
    void raceWithAbort(called, signal).then(
      (outcome) => record(resultOf(outcome as Outcome)),
      (error: unknown) => record(resultOfError(error, signal)),
    );
    return called;
  };
}

/** `refuseCard` and `instruct` ask nobody. */
function watchProcessor(processor: Processor, measure: Measure): Processor {
  const { listOutsideRefunds } = processor;
  return {
    ...processor,
    authorise: (request, signal) => measure('charge', signal, () => processor.authorise(request, signal)),
    query: (request, signal) => measure('read', signal, () => processor.query(request, signal)),
    capture: (request, signal) => measure('capture', signal, () => processor.capture(request, signal)),
    cancel: (request, signal) => measure('void', signal, () => processor.cancel(request, signal)),
    refund: (request, signal) => measure('refund', signal, () => processor.refund(request, signal)),
    list: (request, signal) => measure('list', signal, () => processor.list(request, signal)),
    ...(listOutsideRefunds && {
      listOutsideRefunds: (request, signal) =>
        measure('list_refunds', signal, () => listOutsideRefunds(request, signal)),
    }),
  };
}

/** Most webhooks are read without a call, so `readNotice` is not measured. */
function watchKind(recorder: Recorder, kind: ProcessorKind): ProcessorKind {
  const measure = createMeasure(recorder, kind.name);
  return {
    ...kind,
    check: (connection, signal) => measure('check', signal, () => kind.check(connection, signal)),
    connect: (connection) => watchProcessor(kind.connect(connection), measure),
  };
}

/** The registry with processors that are measured. */
export function watchProcessors(recorder: Recorder, registry: ProcessorRegistry): ProcessorRegistry {
  const known = new Map<ProcessorKind, ProcessorKind>();
  const watch = (kind: ProcessorKind): ProcessorKind => {
    const watched = known.get(kind) ?? watchKind(recorder, kind);
    known.set(kind, watched);
    return watched;
  };
  return {
    builtIn: watch(registry.builtIn),
    kinds: registry.kinds.map(watch),
    find: (name) => watch(registry.find(name)),
  };
}
