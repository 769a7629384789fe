const MAJOR = 24

/** Returns a sentence if this version of Node is too old for the command. This file imports nothing, so that older versions can run it. */
export function nodeFault(version: string): string | undefined {
  if (Number(version.split(".")[0]) >= MAJOR) return undefined
  return `Node ${version} is too old: install Node ${MAJOR} or newer.`
}
