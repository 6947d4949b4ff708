// Random unique names. Browsers offer `crypto.randomUUID` only on secure origins, which plain http on another machine
// is not. Random bytes are available everywhere.

const bytesOfName = 16;

export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(bytesOfName));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
