// The texts of webhook deliveries.

import { defineScreenTexts } from '../../texts/texts.ts';

export const useDeliveryTexts = defineScreenTexts('deliveries');
