// Runs the SQL of documents and tests on a server, as the user of its address.

import pg from 'pg';

/** A client whose lost connection rejects the query in progress, and does not end the process too. */
export function openClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  return client;
}

/** Runs the statements of a block one by one, as psql does. Returns the last rows. */
export async function runSql(url: string, block: string): Promise<Record<string, unknown>[]> {
  const client = openClient(url);
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of block.split(/;$/m).filter((text) => text.trim())) {
      // Two statements in one line have two results.
      for (const result of [await client.query(statement)].flat())
        if (result.rows.length > 0) rows = result.rows;
    }
    return rows;
  } finally {
    await client.end();
  }
}
