// A scripted name server on loopback: changing responses, chains, errors, or no response.

import { createSocket, type Socket } from 'node:dgram';

export type RecordType = 'A' | 'AAAA';

/** What a name answers: addresses, another name with its addresses, or a response code. */
export type Reply = {
  addresses?: readonly string[];
  /** A chain of names; the addresses belong to the last. */
  aliases?: readonly string[];
  ttlSeconds?: number;
  code?: 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED';
  isSilent?: true;
};

/** Called for each question; `nth` counts the questions for this name and type from 1. */
export type Script = (question: { name: string; type: RecordType; nth: number }) => Reply;

export type DnsServer = {
  /** For Resolver.setServers. */
  address: string;
  /** Every question so far, such as "A hooks.example.com". */
  questions: readonly string[];
  stop(): Promise<void>;
};

const codes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };
const typeNumbers = { A: 1, CNAME: 5, AAAA: 28 };
const headerBytes = 12;

const nameBytes = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.of(0),
  ]);

function addressBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const hostname = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = hostname.split('::');
  const groups = (text: string | undefined) => (text ? text.split(':') : []);
  const zeros = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: zeros }, () => '0'), ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function recordBytes(
  owner: string,
  type: keyof typeof typeNumbers,
  data: Buffer,
  ttlSeconds: number,
): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(typeNumbers[type], 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(ttlSeconds, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(owner), fixed, data]);
}

type Question = { name: string; type: RecordType; bytes: Buffer };

function readQuestion(query: Buffer): Question {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1) === typeNumbers.A ? 'A' : 'AAAA';
  return { name: labels.join('.').toLowerCase(), type, bytes: query.subarray(headerBytes, at + 5) };
}

const typeOf = (address: string): RecordType => (address.includes(':') ? 'AAAA' : 'A');

function answerBytes(query: Buffer, question: Question, reply: Reply): Buffer {
  const { ttlSeconds = 0, aliases = [] } = reply;
  const owners = [question.name, ...aliases];
  const records = [
    ...aliases.map((alias, i) => recordBytes(owners[i] ?? '', 'CNAME', nameBytes(alias), ttlSeconds)),
    ...(reply.addresses ?? [])
      .filter((address) => typeOf(address) === question.type)
      .map((address) => recordBytes(owners.at(-1) ?? '', question.type, addressBytes(address), ttlSeconds)),
  ];
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  // A response, with recursion asked for and available.
  header.writeUInt16BE(0x8180 | codes[reply.code ?? 'NOERROR'], 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question.bytes, ...records]);
}

function bind(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(0, '127.0.0.1', () => resolve(socket.address().port));
  });
}

/** Starts a name server that answers every question by the script. */
export async function startDnsServer(script: Script): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query, from) => {
    const question = readQuestion(query);
    const label = `${question.type} ${question.name}`;
    questions.push(label);
    const nth = questions.filter((earlier) => earlier === label).length;
    const reply = script({ name: question.name, type: question.type, nth });
    if (!reply.isSilent) socket.send(answerBytes(query, question, reply), from.port, from.address);
  });
  const port = await bind(socket);
  return {
    address: `127.0.0.1:${port}`,
    questions,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
