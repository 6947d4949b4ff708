// A hundred kills between the commit of an event and the record of its delivery, and 10,000 events to a healthy
// receiver. webhooks.long.ts is the short form.

import { testWebhookLoad } from './webhook-load.ts';

testWebhookLoad({ kills: 100, events: 10_000, links: 200 });
