// Time-based one-time passwords (RFC 6238): SHA-1, steps of 30 seconds, six digits. Pure.

import { createHmac } from 'node:crypto';

const stepSeconds = 30;
const defaultDigits = 6;
/** The clock drift that is accepted, in steps. */
const clockDriftSteps = [0, -1, 1];

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Bytes in base 32 (RFC 4648) without padding, the form of a secret that is typed into an app. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

export function stepOf(at: Date): number {
  return Math.floor(at.getTime() / 1000 / stepSeconds);
}

export function codeOfStep(secret: Uint8Array, step: number, digits: number = defaultDigits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  // RFC 4226 section 5.3: the last four bits are the offset of the four bytes that count.
  const start = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(start) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The step of a code, which may be the one before or after a moment; null for a wrong code. */
export function stepOfCode(secret: Uint8Array, code: string, at: Date): number | null {
  const steps = clockDriftSteps.map((off) => stepOf(at) + off);
  return steps.find((step) => codeOfStep(secret, step) === code) ?? null;
}

/** The URI that an app reads from a QR code (Key Uri Format). */
export function totpUri(secret: Uint8Array, email: string): string {
  const query = `secret=${toBase32(secret)}&issuer=Paylink&algorithm=SHA1&digits=${defaultDigits}&period=${stepSeconds}`;
  return `otpauth://totp/${encodeURIComponent(`Paylink:${email}`)}?${query}`;
}
