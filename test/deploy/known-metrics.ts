// The metrics of Paylink, by any name: the rules and the dashboard may use no others.

import {
  type MetricDefinition,
  type MetricName,
  mayHaveCell,
  metricDefinitions,
} from '../../src/metrics/definitions.ts';

const definitions: Readonly<Record<string, MetricDefinition>> = metricDefinitions;

export const metricNames: readonly string[] = Object.keys(definitions);

/** With the label `cell`, which an installation with several cells adds. */
export const definitionOf = (name: string): MetricDefinition | undefined => {
  const known = definitions[name];
  return known && mayHaveCell(name as MetricName) ? { ...known, labels: [...known.labels, 'cell'] } : known;
};
