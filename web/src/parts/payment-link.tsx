// A link to a payment of which only the code is known. Codes of a company begin alike, so their ends are shown.

import { Link } from 'wouter-preact';
import { useCommonTexts } from '../texts/common.ts';

const visibleCharacters = 8;

/** A link to the payment with this code; the whole code on hover. */
export function PaymentLink({ code }: { code: string }) {
  const { aPayment } = useCommonTexts();
  return (
    <Link href={`/payments/${code}`} title={code} class="nowrap">
      {aPayment} <span class="mono">…{code.slice(-visibleCharacters)}</span>
    </Link>
  );
}
