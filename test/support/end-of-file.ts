import { after } from 'node:test'

// Loaded before every test file. A test that timed out may leave a timer or a socket, and its file, and with it the
// whole run, would never end. Node's --test-force-exit ends such a file, but cuts off what others have not told yet:
// of 32 tests in two short files it reported 28 or 24, one time in six.

// Longer than anybody waits for a connection: whoever does when a pool ends waits to the end of that time.
const patienceMs = 90_000

// Only in a process that runs one test file: the one that starts them has no tests of its own.
if (process.env['NODE_TEST_CONTEXT']?.startsWith('child') === true) {
  after(() => void setTimeout(() => process.exit(), patienceMs).unref())
}
