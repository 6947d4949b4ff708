// How a fake sends its webhooks: signed anew for each try, tried a few times, held back, doubled or turned
// round on command. What was sent stays on record, so that a test can send it again as it was.

import { setTimeout as sleep } from 'node:timers/promises';
import type { SentNotice, WebhookControl } from './control.ts';

export type NoticeToSend = {
  url: string | null;
  body: string;
  contentType: string;
  /** The headers that prove it, for a try at this moment. None for a processor that signs nothing. */
  sign?: (body: string, at: Date) => Record<string, string>;
};

export type WebhookSender = {
  sent: readonly SentNotice[];
  send(notice: NoticeToSend): void;
  /** The headers of a webhook, by its place in `sent`, were its body another one: signed now, as it would be sent. */
  signAs(place: number, body: string): Record<string, string>;
  /** Takes a command. Resolves when all that is let go by it has been tried once. */
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

const answerWithinMs = 10_000;

/** Posts a webhook once. A redirect is an answer like any other that is not 2xx. */
async function post(url: string, headers: Record<string, string>, body: string): Promise<number | null> {
  const signal = AbortSignal.timeout(answerWithinMs);
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

/** Starts a sender. `now` is the fake's clock, which the signatures are made by. */
export function createWebhookSender(now: () => Date): WebhookSender {
  const sent: SentNotice[] = [];
  const made: NoticeToSend[] = [];
  const held: (() => Promise<void>)[] = [];
  const control = { ...normal };

  const tryOnce = async (notice: NoticeToSend, entry: SentNotice) => {
    if (!control.isOn || notice.url === null) return true;
    entry.headers = headersOf(notice, now());
    entry.tries += 1;
    entry.status = await post(notice.url, entry.headers, notice.body);
    return entry.status !== null && entry.status >= 200 && entry.status < 300;
  };
  const retry = async (notice: NoticeToSend, entry: SentNotice) => {
    for (const delayMs of control.retryDelaysMs) {
      await sleep(delayMs);
      if (await tryOnce(notice, entry)) return;
    }
  };
  const deliver = async (notice: NoticeToSend, entry: SentNotice) => {
    if (control.delayMs > 0) await sleep(control.delayMs);
    if (!(await tryOnce(notice, entry))) void retry(notice, entry);
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
        const entry: SentNotice = { url, headers: headersOf(notice, now()), body, tries: 0, status: null };
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

function headersOf(notice: NoticeToSend, at: Date): Record<string, string> {
  const headers = { 'content-type': notice.contentType, ...notice.sign?.(notice.body, at) };
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
