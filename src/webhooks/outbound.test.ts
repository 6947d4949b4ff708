import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { Reply, Script } from '../../test/dns/dns-server.ts';
import { answerNoContent, startListener } from '../../test/dns/listener.ts';
import {
  outsideAddresses,
  type PretendInternet,
  startPretendInternet,
} from '../../test/dns/pretend-internet.ts';
import { insideUrls, oddUrls } from '../../test/dns/spellings.ts';
import { type OutboundPolicy, type OutboundResult, sendRequest } from './outbound.ts';
import type { Resolve } from './outbound-lookup.ts';

const [outside4 = '', outside6 = '', second4 = '', third4 = ''] = outsideAddresses;
const name = 'hooks.example.com';

const post = (url: string, policy: OutboundPolicy, timeoutMs = 30_000) =>
  sendRequest({
    url,
    policy,
    timeoutMs,
    headers: { 'content-type': 'application/json' },
    body: '{"secret":1}',
    maxAnswerBytes: 4096,
  });

const resultOf = (result: OutboundResult) => ('fault' in result ? result.fault : result.status);

/** Runs a test on its own simulated internet. */
async function onInternet<T>(
  script: Script,
  act: (internet: PretendInternet) => Promise<T>,
  lookupMs?: number,
): Promise<T> {
  const internet = await startPretendInternet(script, lookupMs);
  try {
    return await act(internet);
  } finally {
    await internet.stop();
  }
}

const policyOf = ({ resolve, dial }: Pick<PretendInternet, 'resolve' | 'dial'>, allowsLoopback = false) => ({
  allowsLoopback,
  isHttpsRequired: false,
  resolve,
  dial,
});

/** The first lookup gives a public address, and every later one this machine. */
const rebinding =
  (ttlSeconds: number): Script =>
  ({ type, nth }) => ({ addresses: type === 'A' ? [nth === 1 ? outside4 : '127.0.0.1'] : [], ttlSeconds });

for (const ttlSeconds of [0, 2 ** 31 - 1])
  test(`a name that resolves to 127.0.0.1 after its check reaches no internal server, with a TTL of ${ttlSeconds} s`, async () => {
    await onInternet(rebinding(ttlSeconds), async (internet) => {
      const url = `http://${name}:${internet.inside.port}/`;
      assert.equal(resultOf(await post(url, policyOf(internet))), 204);
      assert.deepEqual(internet.dialled, [outside4]);
      assert.deepEqual([...internet.dns.questions].sort(), [`A ${name}`, `AAAA ${name}`]);
      assert.equal(resultOf(await post(url, policyOf(internet))), 'blocked_address');
      assert.deepEqual(internet.dialled, [outside4]);
      assert.deepEqual([internet.outside.connections, internet.inside.connections], [1, 0]);
    });
  });

test('the test detects a connection by name after the check', async () => {
  await onInternet(rebinding(0), async (internet) => {
    const { resolve, inside } = internet;
    const connectByName = () =>
      connect({
        host: name,
        port: inside.port,
        lookup: (host, _options, done) => void resolve(host).then((found) => done(null, found[0] ?? '', 4)),
        autoSelectFamily: false,
      });
    await post(`http://${name}:${inside.port}/`, policyOf({ resolve, dial: connectByName }));
    assert.equal(inside.connections, 1);
    assert.match(inside.received, /secret/);
  });
});

/** Responses with at least one internal address, in every mixture. */
const leadingInside: Record<string, Reply> = {
  'one private address': { addresses: ['10.0.0.1'] },
  'this machine': { addresses: ['127.0.0.1', '::1'] },
  'the machine by its zero address': { addresses: ['0.0.0.0'] },
  'the metadata of a cloud': { addresses: ['169.254.169.254'] },
  'the metadata of a cloud, by IPv6': { addresses: ['fd00:ec2::254'] },
  'a public address first': { addresses: [outside4, '127.0.0.1'] },
  'a private address first': { addresses: ['127.0.0.1', outside4] },
  'a private address behind 40 public ones': {
    addresses: [...Array.from({ length: 40 }, (_, i) => `151.101.3.${i}`), '192.168.0.1'],
  },
  'a public IPv4 and a private IPv6 address': { addresses: [outside4, '::1'] },
  'a public IPv6 and a private IPv4 address': { addresses: [outside6, '10.0.0.1'] },
  'a mapped address': { addresses: ['::ffff:127.0.0.1'] },
  'a mapped public address': { addresses: ['::ffff:93.184.215.14'] },
  'a translated address': { addresses: ['64:ff9b::7f00:1'] },
  'a 6to4 address': { addresses: ['2002:7f00:1::1'] },
  'a link-local address': { addresses: ['fe80::1'] },
  'a chain of names to a private address': {
    aliases: ['a.example.net', 'b.example.org', 'db.internal'],
    addresses: ['10.0.0.1'],
  },
  'a chain of names to localhost': { aliases: ['localhost'], addresses: ['127.0.0.1'] },
};

for (const [title, reply] of Object.entries(leadingInside))
  test(`a name that resolves to ${title} is not connected to, with loopback allowed or not`, async () => {
    await onInternet(
      () => reply,
      async (internet) => {
        for (const allowsLoopback of [false, true])
          assert.equal(
            resultOf(await post(`http://${name}/`, policyOf(internet, allowsLoopback))),
            'blocked_address',
          );
        assert.deepEqual(internet.dialled, []);
        assert.equal(internet.inside.connections + internet.outside.connections, 0);
      },
    );
  });

test('the test detects a check of the first address only', async () => {
  const reply = leadingInside['a public address first'] ?? {};
  await onInternet(
    () => reply,
    async (internet) => {
      const firstAlone: Resolve = async (host) => (await internet.resolve(host)).slice(0, 1);
      assert.notEqual(
        resultOf(await post(`http://${name}/`, policyOf({ ...internet, resolve: firstAlone }))),
        'blocked_address',
      );
      assert.notDeepEqual(internet.dialled, []);
    },
  );
});

test('internal addresses and unusual URLs are neither connected to nor resolved', async () => {
  await onInternet(
    () => ({ addresses: [outside4] }),
    async (internet) => {
      for (const url of insideUrls)
        assert.equal(resultOf(await post(url, policyOf(internet))), 'blocked_address', url);
      for (const url of oddUrls)
        assert.equal(resultOf(await post(url, policyOf(internet))), 'refused_url', JSON.stringify(url));
      assert.deepEqual([internet.dialled, internet.dns.questions], [[], []]);
    },
  );
});

test('a URL without https is refused if https is required', async () => {
  await onInternet(
    () => ({ addresses: [outside4] }),
    async (internet) => {
      const policy = { ...policyOf(internet), isHttpsRequired: true };
      assert.equal(resultOf(await post(`http://${name}/`, policy)), 'refused_url');
      assert.deepEqual(internet.dialled, []);
    },
  );
});

const withoutAddress: Record<string, Reply> = {
  'an empty answer': {},
  'an alias that ends nowhere': { aliases: ['a.example.net'] },
  SERVFAIL: { code: 'SERVFAIL' },
  NXDOMAIN: { code: 'NXDOMAIN' },
  REFUSED: { code: 'REFUSED' },
  silence: { isSilent: true },
};

for (const [title, reply] of Object.entries(withoutAddress))
  test(`${title} from the name server gives dns_failed`, async () => {
    await onInternet(
      () => reply,
      async (internet) => {
        assert.equal(resultOf(await post(`http://${name}/`, policyOf(internet))), 'dns_failed');
        assert.deepEqual(internet.dialled, []);
      },
      reply.isSilent ? 400 : undefined,
    );
  });

test('a slow DNS lookup times out, and nothing is connected to afterwards', async () => {
  await onInternet(
    () => ({ addresses: [outside4] }),
    async (internet) => {
      const late = Promise.withResolvers<string[]>();
      const policy = policyOf({ ...internet, resolve: () => late.promise });
      assert.equal(resultOf(await post(`http://${name}/`, policy, 50)), 'timed_out');
      late.resolve([outside4]);
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(internet.dialled, []);
    },
  );
});

test('a DNS failure for one address family does not prevent a delivery', async () => {
  await onInternet(
    ({ type }) => (type === 'A' ? { addresses: [outside4] } : { code: 'SERVFAIL' }),
    async (internet) => assert.equal(resultOf(await post(`http://${name}/`, policyOf(internet))), 204),
  );
});

test('a receiver gets the host name of the URL, whatever its address', async () => {
  await onInternet(
    () => ({ addresses: [outside4] }),
    async (internet) => {
      await post('http://HOOKS.example.com:8080/a%20b?c=d', policyOf(internet));
      assert.match(internet.outside.received, /^POST \/a%20b\?c=d HTTP\/1\.1\r\n/);
      assert.match(internet.outside.received, /\r\nhost: hooks\.example\.com:8080\r\n/i);
    },
  );
});

test('a refusing address is skipped, and at most three are tried', async () => {
  const closed = await startListener();
  await closed.stop();
  await onInternet(
    () => ({ addresses: [outside4, second4, third4, '151.101.4.6'] }),
    async (internet) => {
      const refusing = (refused: readonly string[]) => ({
        ...internet,
        dial: (address: string, port: number) => {
          const socket = internet.dial(address, port);
          if (!refused.includes(address)) return socket;
          socket.destroy();
          return connect(closed.port, '127.0.0.1');
        },
      });
      assert.equal(resultOf(await post(`http://${name}/`, policyOf(refusing([outside4])))), 204);
      assert.deepEqual(internet.dialled, [outside4, second4]);
      const all = policyOf(refusing([outside4, second4, third4, '151.101.4.6']));
      assert.equal(resultOf(await post(`http://${name}/`, all)), 'connect_failed');
      assert.deepEqual(internet.dialled.slice(2), [outside4, second4, third4]);
    },
  );
});

test('loopback names are not resolved by DNS, if the setting allows them', async () => {
  const listener = await startListener(answerNoContent);
  const neverAsked: Resolve = async (host) => assert.fail(`${host} was looked up`);
  const policy = { isHttpsRequired: false, resolve: neverAsked };
  const urls = ['localhost', 'shop.localhost', '127.0.0.1'].map((host) => `http://${host}:${listener.port}/`);
  for (const url of urls)
    assert.equal(resultOf(await post(url, { ...policy, allowsLoopback: true })), 204, url);
  assert.equal(listener.connections, urls.length);
  for (const url of urls)
    assert.equal(resultOf(await post(url, { ...policy, allowsLoopback: false })), 'blocked_address', url);
  assert.equal(listener.connections, urls.length);
  await listener.stop();
});
