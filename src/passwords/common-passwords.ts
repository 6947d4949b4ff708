// Common passwords in lower case: the list of a library, and a few long ones that it lacks.

const moreCommon = `
1234567890123 12345678901234 987654321012 098765432109 1234567891011 12345678abcd 123456abcdef 1q2w3e4r5t6y7u
qwertyuiopasdf qwertz123456 qwertzuiop12 asdf1234asdf zxcvbnmasdfg abcdefghijkl abcdefghijklm abcd1234abcd
a1b2c3d4e5f6 p@ssword1234 thepassword1 changemeplease iloveyouforever letmeinplease correcthorsebatterystaple
thisismypassword passwordispassword
`;

/** Not cached: its 49,000 words take megabytes. */
export async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set([...dictionary['passwords-common'], ...moreCommon.trim().split(/\s+/)]);
}
