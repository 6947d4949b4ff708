// The address for Mollie's webhooks of a connection. Pure.

/** Whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Null if Mollie would refuse a payment for it: its own API (`apiUrl` null) cannot reach a service on loopback. */
export function webhookAddress(place: {
  apiUrl: string | null;
  baseUrl: string;
  connectionId: string;
}): string | null {
  const { apiUrl, baseUrl, connectionId } = place;
  if (apiUrl === null && isLoopback(new URL(baseUrl).hostname)) return null;
  return `${baseUrl}/processors/mollie/webhook/${connectionId}`;
}

/** The address with the proof that it was created here for an attempt, so that its webhooks may cause calls. */
export function signedWebhookAddress(address: string, attemptId: string, proof: string): string {
  return `${address}?${new URLSearchParams({ attempt: attemptId, proof })}`;
}
