// The texts of a payment link: sending it, its QR code, and its expiry.

import { defineTexts } from '../texts/texts.ts';

export const useLinkTexts = defineTexts('link');
