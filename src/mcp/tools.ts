// The table of all tools, in the order of the list.

import { accessTools } from './access.ts';
import { actTools } from './act-tools.ts';
import { documentationTools } from './documentation.ts';
import { paymentTools } from './payment-tools.ts';
import { recordTools } from './record-tools.ts';
import type { Tool } from './tool.ts';

export const tools: readonly Tool[] = [
  ...paymentTools,
  ...recordTools,
  ...documentationTools,
  ...accessTools,
  ...actTools,
];
