// Paylink's IDs on objects at PayPal. PayPal has no metadata: one text, `custom_id`, is returned with the
// order, its captures and its refunds, in webhooks and in the list of transactions. Pure.

/** PayPal's limit for the custom_id of a refund; an order's may be longer. */
const maxLength = 127;

export type CustomId = {
  attemptId: string | null;
  refundId: string | null;
  connectionId: string | null;
  companyId: string | null;
};

type CustomIdInput = { attemptId: string; refundId?: string; connectionId: string | null; companyId: string };

/** The custom_id of an order or a refund: IDs, distinguished by their prefixes. */
export function encodeCustomId({ attemptId, refundId, connectionId, companyId }: CustomIdInput): string {
  const text = [refundId, attemptId, connectionId, companyId].filter((id) => id).join('/');
  if (text.length > maxLength) throw new RangeError('the custom_id is too long');
  return text;
}

/** Parses a custom_id; every part is null in one that is not ours. */
export function decodeCustomId(text: string | null): CustomId {
  const ids = (text ?? '').split('/').filter((id) => /^[a-z]{2,3}_[0-9a-z]{1,40}$/.test(id));
  const find = (prefix: string) => ids.find((id) => id.startsWith(prefix)) ?? null;
  return {
    attemptId: find('att_'),
    refundId: find('ref_'),
    connectionId: find('con_'),
    companyId: find('co_'),
  };
}
