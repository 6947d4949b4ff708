import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  attemptGraph,
  drawGraph,
  isAttemptFinal,
  paymentGraph,
  refundGraph,
  type TransitionGraph,
} from './states.ts';

function edgesOf<S extends string>(graph: TransitionGraph<S>): string[] {
  return Object.entries<Partial<Record<S, unknown>>>(graph).flatMap(([from, targets]) =>
    Object.keys(targets).map((to) => `${from} → ${to}`),
  );
}

function reachable<S extends string>(graph: TransitionGraph<S>, start: S): Set<string> {
  const seen = new Set<string>([start]);
  for (const state of seen) for (const next of Object.keys(graph[state as S])) seen.add(next);
  return seen;
}

test('a payment has exactly these transitions', () => {
  assert.deepEqual(edgesOf(paymentGraph).sort(), [
    'open → cancelled',
    'open → expired',
    'open → processing',
    'processing → failed',
    'processing → open',
    'processing → paid',
  ]);
});

test('an attempt has exactly these transitions', () => {
  const ends = ['succeeded', 'declined', 'cancelled'];
  const expected = [
    ...['requires_action', 'processing', 'unknown', ...ends].map((to) => `created → ${to}`),
    ...['processing', 'unknown', ...ends].map((to) => `requires_action → ${to}`),
    ...ends.map((to) => `processing → ${to}`),
    ...['requires_action', 'processing', ...ends].map((to) => `unknown → ${to}`),
  ];
  assert.deepEqual(edgesOf(attemptGraph).sort(), expected.sort());
});

test('a refund has exactly these transitions', () => {
  const ends = ['succeeded', 'failed'];
  const expected = [
    ...['processing', 'unknown', ...ends].map((to) => `created → ${to}`),
    ...ends.map((to) => `processing → ${to}`),
    ...['processing', ...ends].map((to) => `unknown → ${to}`),
    'succeeded → failed',
  ];
  assert.deepEqual(edgesOf(refundGraph).sort(), expected.sort());
  assert.equal(reachable(refundGraph, 'created').size, Object.keys(refundGraph).length);
});

test('every status can be reached, and only final ones have no transition', () => {
  assert.equal(reachable(paymentGraph, 'open').size, Object.keys(paymentGraph).length);
  assert.equal(reachable(attemptGraph, 'created').size, Object.keys(attemptGraph).length);
  const finals = Object.keys(attemptGraph).filter((state) =>
    isAttemptFinal(state as keyof typeof attemptGraph),
  );
  assert.deepEqual(finals.sort(), ['cancelled', 'declined', 'succeeded']);
});

test('the diagram has one line for each transition', () => {
  const drawing = drawGraph(paymentGraph, 'open');
  for (const edge of edgesOf(paymentGraph)) assert.ok(drawing.includes(edge.replace('→', '-->')), edge);
});
