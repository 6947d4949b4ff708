// The texts of webhook endpoints.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useWebhookTexts = defineScreenTexts('webhooks');
