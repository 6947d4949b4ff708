// Sends a fake's webhooks: signed for each attempt, retried, and on command held, duplicated or reversed. Records what was
// sent, so that a test can repeat it.

import { setTimeout as sleep } from 'node:timers/promises';
import type { SentWebhook, WebhookControl } from './control.ts';

export type WebhookToSend = {
  url: string | null;
  body: string;
  contentType: string;
  /** The signature headers for an attempt at this time, if the processor signs webhooks. */
  sign?: (body: string, at: Date) => Record<string, string>;
};

export type WebhookSender = {
  sent: readonly SentWebhook[];
  send(notice: WebhookToSend): void;
  /** The headers that the webhook at an index of `sent` would have with another body, signed now. */
  signAs(place: number, body: string): Record<string, string>;
  /** Changes settings. Resolves when all released webhooks were attempted once. */
  setControl(control: Partial<WebhookControl>): Promise<void>;
  reset(): Promise<void>;
};

const normal: WebhookControl = {
  isOn: true,
  delayMs: 0,
  copies: 1,
  isHeld: false,
  isReversed: false,
  retryDelaysMs: [200, 1_000, 3_000],
};

const timeoutMs = 10_000;

/** Posts a webhook once; follows no redirect. */
async function post(url: string, headers: Record<string, string>, body: string): Promise<number | null> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

/** Starts a sender. `now` is the fake's clock, which signatures use. */
export function createWebhookSender(now: () => Date): WebhookSender {
  const sent: SentWebhook[] = [];
  const made: WebhookToSend[] = [];
  const held: (() => Promise<void>)[] = [];
  const control = { ...normal };

  const attemptOnce = async (notice: WebhookToSend, entry: SentWebhook) => {
    if (!control.isOn || notice.url === null) return true;
    entry.headers = headersOf(notice, now());
    entry.attempts += 1;
    entry.status = await post(notice.url, entry.headers, notice.body);
    return entry.status !== null && entry.status >= 200 && entry.status < 300;
  };
  const retry = async (notice: WebhookToSend, entry: SentWebhook) => {
    for (const delayMs of control.retryDelaysMs) {
      await sleep(delayMs);
      if (await attemptOnce(notice, entry)) return;
    }
  };
  const deliver = async (notice: WebhookToSend, entry: SentWebhook) => {
    if (control.delayMs > 0) await sleep(control.delayMs);
    if (!(await attemptOnce(notice, entry))) void retry(notice, entry);
  };
  const setControl = async (changes: Partial<WebhookControl>) => {
    Object.assign(control, changes);
    if (control.isHeld) return;
    const released = held.splice(0);
    for (const deliverHeld of control.isReversed ? released.reverse() : released) await deliverHeld();
  };

  return {
    sent,
    send: (notice) => {
      for (let copy = 0; copy < control.copies; copy++) {
        const { url, body } = notice;
        const entry: SentWebhook = {
          url,
          headers: headersOf(notice, now()),
          body,
          attempts: 0,
          status: null,
        };
        sent.push(entry);
        made.push(notice);
        if (control.isHeld) held.push(async () => await deliver(notice, entry));
        else void deliver(notice, entry);
      }
    },
    signAs: (place, body) => {
      const notice = made[place];
      if (!notice) throw new Error(`there is no webhook ${place}`);
      return headersOf({ ...notice, body }, now());
    },
    setControl,
    reset: async () => await setControl(normal),
  };
}

function headersOf(notice: WebhookToSend, at: Date): Record<string, string> {
  const headers = { 'content-type': notice.contentType, ...notice.sign?.(notice.body, at) };
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
