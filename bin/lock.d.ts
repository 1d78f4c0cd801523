// For the tests, which are TypeScript; lock.js runs on Nodes that can't read it.
export function takeLock(path: string, onWait?: () => void): Promise<() => void>
export function isAlive(pid: number): boolean
