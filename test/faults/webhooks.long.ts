// The short form of webhooks.campaign.ts.

import { testWebhookLoad } from './webhook-load.ts';

testWebhookLoad({ kills: 8, events: 1_000, links: 50 });
