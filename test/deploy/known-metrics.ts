// The metrics of Paylink, by any name: the rules and the dashboard may use no others.

import { type MetricDefinition, metricDefinitions } from '../../src/metrics/definitions.ts';

const definitions: Readonly<Record<string, MetricDefinition>> = metricDefinitions;

export const metricNames: readonly string[] = Object.keys(definitions);

export const definitionOf = (name: string): MetricDefinition | undefined => definitions[name];
