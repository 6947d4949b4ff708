// Runs the code examples of /docs: each is a program in a folder of its own, with the credentials in its environment.

import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ApiDocument, type Operation, readDescription } from '../../src/docs/description.ts';
import { type ExampleLanguage, exampleLanguages } from '../../src/docs/example-languages.ts';
import { type ExampleRequest, exampleRequest } from '../../src/docs/example-request.ts';
import { type Ended, run } from '../sdk/packed.ts';
import { call } from './client.ts';
import { makePng } from './png.ts';
import { credentialsFor, listRoutes, type Route, type RouteCompany, validCall } from './route-cases.ts';
import { goPath, phpPath, pythonPath } from './services.ts';

/** The calls that nearly every integration makes. */
export const mainOperations = [
  'POST /v1/auth/login',
  'POST /v1/payment/process',
  'GET /v1/payments/{code}',
  'GET /v1/payments',
  'POST /v1/payments/{code}/cancel',
  'POST /v1/payments/{code}/refunds',
  'GET /v1/events',
  'POST /v1/webhook-endpoints',
] as const;

const interpreters: Readonly<Record<string, () => [file: string, ...args: string[]]>> = {
  curl: () => ['sh', '-eu'],
  node: () => [process.execPath],
  python: () => [pythonPath()],
  php: () => [phpPath()],
  go: () => [goPath(), 'run'],
};

export const languageOf = (id: string): ExampleLanguage => {
  const language = exampleLanguages.find((one) => one.id === id);
  if (!language) throw new Error(`there are no examples in ${id}`);
  return language;
};

export type Workshop = {
  folder: string;
  /** Writes the program and its files into a new folder. Returns the program's path. */
  writeProgram(language: ExampleLanguage, request: ExampleRequest, file?: string | Buffer): Promise<string>;
  runProgram(language: ExampleLanguage, program: string, env: Record<string, string>): Promise<Ended>;
  remove(): Promise<void>;
};

/** A temporary folder for programs. Go keeps what it compiled there. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(path.join(tmpdir(), 'paylink-examples-'));
  const goSettings = { GOCACHE: path.join(folder, 'go-cache'), GOTOOLCHAIN: 'local', GOPROXY: 'off' };
  return {
    folder,
    writeProgram: async (language, request, file) => {
      const place = path.join(folder, randomUUID());
      await mkdir(place);
      if (request.body?.kind === 'file') await writeFile(path.join(place, request.body.name), file ?? '');
      const program = path.join(place, `main.${language.extension}`);
      await writeFile(program, `${language.render(request)}\n`);
      return program;
    },
    runProgram: async (language, program, env) => {
      const [file = '', ...args] = interpreters[language.id]?.() ?? [];
      return await run(file, [...args, program], path.dirname(program), { ...goSettings, ...env });
    },
    remove: async () => await rm(folder, { recursive: true, force: true }),
  };
}

export type Documented = { route: Route; operation: Operation };

/** The operations of a running service, as the page reads them. */
export async function listDocumented(baseUrl: string): Promise<Documented[]> {
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as ApiDocument;
  const operations = new Map(
    readDescription(document)
      .sections.flatMap((section) => section.operations)
      .map((operation) => [`${operation.method} ${operation.path}`, operation]),
  );
  return (await listRoutes(baseUrl)).map((route) => {
    const operation = operations.get(route.name);
    if (!operation) throw new Error(`the page has no ${route.name}`);
    return { route, operation };
  });
}

const keys = new WeakMap<RouteCompany, Map<string, string>>();

/** A service key with the scopes of an operation; '' for an operation that takes none. */
async function serviceKeyFor({ security }: Operation, company: RouteCompany): Promise<string> {
  const needed = security.find((alternative) => 'serviceKey' in alternative)?.serviceKey;
  if (!needed) return '';
  // A key has at least one scope.
  const scopes = needed.length > 0 ? needed : ['payments:read'];
  const known = keys.get(company) ?? new Map<string, string>();
  keys.set(company, known);
  const name = scopes.join(' ');
  const { paylink, credentials } = company;
  const key =
    known.get(name) ??
    String((await call(paylink, credentials, ['POST', '/v1/service-keys'], { scopes })).body.key);
  known.set(name, key);
  return key;
}

/** Runs the example of an operation, with objects that exist in place of those of the description. */
export async function runExample(
  { route, operation }: Documented,
  language: ExampleLanguage,
  { company, workshop }: { company: RouteCompany; workshop: Workshop },
): Promise<Ended> {
  const { params, body, file } = await validCall(route, company);
  const request = exampleRequest(operation, company.paylink.baseUrl, {
    params,
    ...(body === null ? {} : { body }),
    idempotencyKey: randomUUID(),
  });
  const isPicture = request.body?.kind === 'file' && request.body.name.endsWith('.png');
  const content = isPicture ? makePng({ width: 4, height: 4 }) : file?.text;
  const credentials = await credentialsFor(route, company);
  const program = await workshop.writeProgram(language, request, content);
  return await workshop.runProgram(language, program, {
    PAYLINK_SERVICE_KEY: await serviceKeyFor(operation, company),
    PAYLINK_TOKEN: credentials.token,
    PAYLINK_API_KEY: credentials.apiKey,
    PAYLINK_COMPANY_ID: credentials.companyId,
  });
}
