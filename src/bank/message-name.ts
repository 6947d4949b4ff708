// Identifies the message of a file by the namespace of its root. Must not accept a similar message of another kind:
// each is refused, and the error says what to ask the bank for instead.

import { StatementError, type StatementErrorCode, type StatementKind } from './statement.ts';

const oldestVersion = 2;
const newestVersion = 13;

const elements = {
  'camt.052': { message: 'BkToCstmrAcctRpt', statement: 'Rpt' },
  'camt.053': { message: 'BkToCstmrStmt', statement: 'Stmt' },
  'camt.054': { message: 'BkToCstmrDbtCdtNtfctn', statement: 'Ntfctn' },
} as const;

export type MessageName = {
  kind: StatementKind;
  /** `001.08` */
  version: string;
  message: string;
  statement: string;
};

function isRead(kind: string): kind is StatementKind {
  return Object.hasOwn(elements, kind);
}

function refuse(code: StatementErrorCode, detail: string, line: number): never {
  throw new StatementError(code, detail, line);
}

const isoNamespace = /^urn:iso:std:iso:20022:tech:xsd:([a-z]{4}\.\d{3})\.001\.(\d{2})$/;

/** Whether an element is an ISO 20022 message. Banks also send it inside an envelope. */
export function isMessage({ local, uri }: { local: string; uri: string }): boolean {
  return local === 'Document' && isoNamespace.test(uri);
}

export function refuseForeignFile(line: number): never {
  return refuse(
    'wrong_message',
    'The file is XML, but not an ISO 20022 message: it needs a Document in a namespace such as urn:iso:std:iso:20022:tech:xsd:camt.053.001.08. Ask the bank for the statement as camt.053.',
    line,
  );
}

/** The message of the root element. Throws StatementError for an unsupported one. */
export function readMessageName(root: { local: string; uri: string }, line: number): MessageName {
  const namespace = isoNamespace.exec(root.uri);
  const [, kind = '', version = ''] = namespace ?? [];
  if (root.local !== 'Document' || !namespace) return refuseForeignFile(line);
  if (!isRead(kind))
    return refuse(
      'wrong_message',
      `The file is a ${kind}. Send a statement (camt.053) or a notification (camt.054).`,
      line,
    );
  if (Number(version) < oldestVersion || Number(version) > newestVersion)
    return refuse(
      'unsupported_version',
      `The file is ${kind} in version 001.${version}. Supported versions are 001.02 to 001.13. Ask the bank for one of them, preferably 001.08.`,
      line,
    );
  return { kind, version: `001.${version}`, ...elements[kind] };
}
