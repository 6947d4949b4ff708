import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createServer, getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import { makeAuthority, makeCertificate } from '../../test/dns/certificate.ts';
import { answerNoContent, startListener } from '../../test/dns/listener.ts';
import { sendRequest } from './outbound.ts';
import { dialAddress } from './outbound-connect.ts';

const name = 'hooks.example.com';
const outside = '93.184.215.14';
const trusted = makeAuthority();
const goodCertificate = makeCertificate(trusted, { names: [name, outside] });

type Seen = { result: Awaited<ReturnType<typeof sendRequest>>; requests: string[]; servernames: unknown[] };

/** Sends one message to a TLS server that replaces the internet. */
async function postTo(options: TlsOptions, host = name): Promise<Seen> {
  const requests: string[] = [];
  const servernames: unknown[] = [];
  const server = createServer({ ALPNProtocols: ['h2', 'http/1.1'], ...options }, (socket) => {
    servernames.push([socket.servername, socket.alpnProtocol]);
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      requests.push(bytes.toString());
      answerNoContent(socket);
    });
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const result = await post(`https://${host}/`, port);
  await new Promise((resolve) => server.close(resolve));
  return { result, requests, servernames };
}

const post = (url: string, port: number, timeoutMs = 30_000) =>
  sendRequest({
    url,
    headers: {},
    body: '{}',
    timeoutMs,
    maxAnswerBytes: 4096,
    policy: {
      allowsLoopback: false,
      isHttpsRequired: true,
      resolve: async () => [outside],
      dial: () => connect(port, '127.0.0.1'),
    },
  });

describe('a receiver with TLS', () => {
  const trustedBefore = getCACertificates('default');
  before(() => setDefaultCACertificates([...trustedBefore, trusted.cert]));
  after(() => setDefaultCACertificates(trustedBefore));

  test('is connected to by IP address, and its certificate is checked for the host name of the URL', async () => {
    const { result, servernames } = await postTo(goodCertificate);
    assert.equal('status' in result && result.status, 204);
    assert.deepEqual(servernames, [[name, 'http/1.1']]);
  });

  test('named by IP address needs the address in its certificate', async () => {
    const { result, servernames } = await postTo(goodCertificate, outside);
    assert.equal('status' in result && result.status, 204);
    assert.deepEqual(servernames, [[false, 'http/1.1']]);
    const nameAlone = makeCertificate(trusted, { names: [name] });
    const refused = await postTo(nameAlone, outside);
    assert.equal('fault' in refused.result && refused.result.fault, 'tls_failed');
  });

  const day = 24 * 60 * 60 * 1000;
  const wantingOurs = { ...goodCertificate, requestCert: true, rejectUnauthorized: true };
  const untrusted: Record<string, TlsOptions> = {
    'of another name': makeCertificate(trusted, {
      names: ['example.com', '*.hooks.example.com', 'localhost'],
    }),
    'that has expired': makeCertificate(trusted, { names: [name], notAfter: new Date(Date.now() - day) }),
    'of an authority that nobody knows': makeCertificate(makeAuthority(), { names: [name] }),
    'but only TLS 1.1': {
      ...goodCertificate,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    },
    'that wants one of ours': { ...wantingOurs, maxVersion: 'TLSv1.2' },
  };

  for (const [title, options] of Object.entries(untrusted))
    test(`with a certificate ${title} gives tls_failed and gets no byte of the message`, async () => {
      const { result, requests } = await postTo(options);
      assert.equal('fault' in result ? result.fault : result.status, 'tls_failed');
      assert.deepEqual(requests, []);
    });

  test('with TLS 1.3 that requires a client certificate gets no byte of the message', async () => {
    const { result, requests } = await postTo(wantingOurs);
    // The server reports it only after our side of the handshake, and may close the connection before that is read.
    assert.ok('fault' in result && ['tls_failed', 'reset'].includes(result.fault));
    assert.deepEqual(requests, []);
  });

  test('that never completes the handshake times out, and its connection is closed', async () => {
    const silent = await startListener();
    const result = await post(`https://${name}/`, silent.port, 200);
    assert.equal('fault' in result && result.fault, 'timed_out');
    await silent.connected;
    await silent.allClosed();
    assert.equal(silent.connections, 1);
    await silent.stop();
  });

  test('without TLS on its port gives tls_failed and gets no byte of the message', async () => {
    const plain = await startListener(answerNoContent);
    const result = await post(`https://${name}/`, plain.port);
    assert.equal('fault' in result && result.fault, 'tls_failed');
    assert.doesNotMatch(plain.received, /POST/);
    await plain.stop();
  });
});

test('an address that does not respond within 4 seconds is skipped', async (t) => {
  const listener = await startListener(answerNoContent);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const silent: Socket[] = [];
  const dial = () => {
    if (silent.length > 0) return connect(listener.port, '127.0.0.1');
    // A socket that was never connected behaves like a silent address.
    silent.push(new Socket());
    setImmediate(() => t.mock.timers.tick(4_000));
    return silent[0] as Socket;
  };
  const resolve = async () => [outside, '151.101.1.6'];
  const policy = { allowsLoopback: false, isHttpsRequired: false, resolve, dial };
  const rest = { headers: {}, body: '', timeoutMs: 15_000, maxAnswerBytes: 4096 };
  const result = await sendRequest({ url: `http://${name}/`, policy, ...rest });
  assert.equal('status' in result && result.status, 204);
  assert.equal(silent[0]?.destroyed, true);
  await listener.stop();
});

/** Runs a line of JavaScript in a process with these environment variables. Returns its output. */
function runWith(environment: Record<string, string>, line: string): Promise<string> {
  const options = {
    cwd: path.resolve(import.meta.dirname),
    env: { ...process.env, ...environment },
    timeout: 60_000,
  };
  return new Promise((resolve, reject) => {
    const args = ['--no-warnings', '--input-type=module', '--eval', line];
    execFile(process.execPath, args, options, (error, output) =>
      error ? reject(error) : resolve(output.trim()),
    );
  });
}

test('environment variables can neither set a proxy nor disable certificate checks', async () => {
  const unknown = makeCertificate(makeAuthority(), { names: ['localhost'] });
  const tls = createServer(unknown, (socket) => answerNoContent(socket));
  tls.on('tlsClientError', () => {});
  const proxy = createHttpServer((_request, response) => response.end('by the proxy'));
  const receiver = createHttpServer((_request, response) => response.end('by itself'));
  const servers = [tls, proxy, receiver];
  await Promise.all(servers.map((server) => new Promise<void>((go) => server.listen(0, '127.0.0.1', go))));
  const [tlsPort, proxyPort, receiverPort] = servers.map((server) => (server.address() as AddressInfo).port);
  const environment = {
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: `http://127.0.0.1:${proxyPort}`,
    HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
    NO_PROXY: '',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  };
  const output = await runWith(
    environment,
    `import { get } from 'node:http';
    import { sendRequest } from './outbound.ts';
    const policy = { allowsLoopback: true, isHttpsRequired: false };
    const rest = { headers: {}, body: '', timeoutMs: 30000, maxAnswerBytes: 100, policy };
    const heeding = await new Promise((resolve) => get('http://127.0.0.1:${receiverPort}/', resolve));
    const usual = (await heeding.setEncoding('utf8').toArray()).join('');
    const plain = await sendRequest({ url: 'http://127.0.0.1:${receiverPort}/', ...rest });
    const tls = await sendRequest({ url: 'https://localhost:${tlsPort}/', ...rest });
    console.log(JSON.stringify([usual, plain.bodyStart, tls.fault]));`,
  );
  // The first line shows that the settings work for clients that use them.
  assert.deepEqual(JSON.parse(output), ['by the proxy', 'by itself', 'tls_failed']);
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
});

test('only IP addresses are connected to: a name would be resolved again', () => {
  for (const host of ['localhost', 'hooks.example.com', '', '127.1', '/var/run/docker.sock'])
    assert.throws(() => dialAddress(host, 80), TypeError, host);
});
