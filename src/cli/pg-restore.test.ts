import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError, exitCodes } from './command-error.ts';
import { readServerAddress, rolesIn, targetOn } from './pg-restore.ts';

test('the password of a server is not in what pg_restore gets as arguments', () => {
  for (const server of [
    'postgres://ada:p%40ss%2Fword@db.example:5433/postgres?sslmode=require',
    'postgres://ada@db.example:5433/postgres?sslmode=require&password=p%40ss%2Fword',
  ]) {
    const { databaseUrl, address, password } = targetOn(readServerAddress(server), 'rehearsal');
    assert.equal(password, 'p@ss/word');
    assert.equal(address, 'postgres://ada@db.example:5433/rehearsal?sslmode=require');
    assert.match(databaseUrl, /p%40ss%2Fword.*/);
    assert.equal(new URL(databaseUrl).pathname, '/rehearsal');
  }
});

test('every form of an address with one host names the new database', () => {
  const addresses: Record<string, string> = {
    'postgres://db.example': 'postgres://db.example/rehearsal',
    'postgresql://ada@[::1]:6000/other?dbname=third': 'postgresql://ada@[::1]:6000/rehearsal',
    'postgres://ada@/postgres?host=/run/postgresql':
      'postgres://ada@localhost/rehearsal?host=%2Frun%2Fpostgresql&port=5432',
    'postgres://ada@db.example/?options=-c%20work_mem%3D1MB':
      'postgres://ada@db.example/rehearsal?options=-c%20work_mem%3D1MB',
    'postgres://ada@db.example/?target_session_attrs=primary':
      'postgres://ada@localhost/rehearsal?host=db.example&port=5432',
  };
  for (const [server, address] of Object.entries(addresses)) {
    const target = targetOn(readServerAddress(server), 'rehearsal');
    assert.deepEqual([target.address, target.password], [address, undefined]);
  }
});

test('several hosts, and texts that are no address, are refused in one sentence without the password', () => {
  for (const server of [
    'postgres://ada:secret@a:5432,b:5432/postgres',
    'postgres://ada:secret@a/postgres?host=a,b',
    'postgres://ada:secret@a:99999/postgres',
    'mysql://ada:secret@a/postgres',
  ])
    assert.throws(
      () => readServerAddress(server),
      (error) => {
        assert.ok(error instanceof CommandError);
        assert.equal(error.exitCode, exitCodes.usage);
        assert.match(error.message, /^--server must [^\n]*$/);
        assert.ok(!error.message.includes('secret'));
        return true;
      },
    );
});

test('the roles of grants, default privileges and policies are found, and nothing else', () => {
  const part = (type: string, sql: string) =>
    `--\n-- Name: payments; Type: ${type}; Schema: public; Owner: -\n--\n\n${sql}\n\n\n`;
  const schema = [
    part('FUNCTION', 'CREATE FUNCTION public.f() RETURNS text AS $$\n  GRANT x TO in_a_function;\n$$;'),
    part('TABLE', 'ALTER TABLE public.payments OWNER TO an_owner;'),
    part(
      'POLICY',
      'CREATE POLICY p ON public.payments FOR SELECT TO first, "Second one" USING ((SELECT true FROM other));',
    ),
    part('ACL', 'GRANT SELECT(code) ON TABLE public.payments TO third$1 WITH GRANT OPTION;'),
    part(
      'ACL',
      'SET SESSION AUTHORIZATION fourth;\nGRANT SELECT ON TABLE public.payments TO "fi""fth";\nRESET SESSION AUTHORIZATION;',
    ),
    part('ACL', 'REVOKE USAGE ON SCHEMA public FROM PUBLIC;\nREVOKE ALL ON TABLE public.x FROM sixth;'),
    part(
      'DEFAULT ACL',
      'ALTER DEFAULT PRIVILEGES FOR ROLE seventh IN SCHEMA public GRANT SELECT ON TABLES TO first;',
    ),
  ];
  const found = ['first', 'Second one', 'third$1', 'fourth', 'fi"fth', 'sixth', 'seventh'];
  assert.deepEqual(rolesIn(schema.join('')).sort(), found.sort());
});
