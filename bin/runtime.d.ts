// For the tests, which are TypeScript; runtime.js runs on Nodes that can't read it.
export function findRuntime(
  modules?: string,
  current?: { execPath: string; versions: { node: string } },
): Promise<string>
