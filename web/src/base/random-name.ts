// Names that nobody else has. Browsers keep `crypto.randomUUID` to addresses that they trust, which a service on plain
// http elsewhere than on this machine has not; random bytes they give everywhere.

const bytesOfName = 16;

/** 128 random bits in hex. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(bytesOfName));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
