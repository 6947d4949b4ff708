// Passwords of 12 characters or more that people choose most and that guessers try first: runs of keys,
// numbers, and the usual words made long. In lower case. Shorter ones are refused for their length.

const listed = `
123456789012 1234567890123 12345678901234 123456789123 123456123456 123123123123 123412341234 111111111111
1111111111111 000000000000 0000000000000 121212121212 112233445566 999999999999 987654321012 098765432109
012345678910 123456789101 1234567891011 123456789abc 12345678abcd 123456abcdef 1234qwerasdf
1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx3edc 1qaz2wsx3edc4rfv qazwsxedcrfv qazwsx123456 qwertyuiop12 qwertyuiop123
qwertyuiop[] qwertyuiopasdf qwerty123456 qwerty1234567 qwerty12345678 qwertyqwerty qwerty654321 qwertz123456
qwertzuiop12 azertyuiop12 azerty123456 asdfghjkl123 asdfghjkl;'\\ asdfasdfasdf asdf1234asdf zxcvbnm12345
zxcvbnmasdfg abcdefghijkl abcdefghijklm abcd1234abcd abc123abc123 abcabcabcabc abc123456789 a1b2c3d4e5f6
aaaaaaaaaaaa q1w2e3r4t5y6 passwordpassword password1234 password12345 password123456 password2023 password2024
password2025 password2026 password123! password1234! password!234 password@123 p@ssword1234 p@ssw0rd1234
p@ssw0rd123! passw0rd1234 passw0rd123! mypassword123 mypassword12 thepassword1 newpassword1 newpassword123
changeme1234 changeme123! changemeplease iloveyou1234 iloveyou12345 iloveyouforever letmein12345 letmein123456
letmeinplease welcome12345 welcome123456 welcome1234! welcome2024! welcome2025! welcome2026! administrator
administrator1 admin1234567 admin12345678 adminadminadmin administrator123 superman1234 princess1234 football1234
baseball1234 sunshine1234 whatever1234 trustno1trustno1 monkey123456 dragon123456 master123456 computer1234
correcthorsebatterystaple thisismypassword passwordispassword secret123456 secretsecret testtesttest test12345678
`;

/** Each in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(listed.trim().split(/\s+/));
