/** The commands of one `sh` block of a page, and what the page says about them. */
export interface PageStep {
  readonly commands: string
  /** The text block that follows, if there is one before the next commands. */
  readonly output: string | undefined
  /** The exit code that the prose before the next commands names, or else 0. */
  readonly exitCode: number
}

/** Commands that run in a terminal of their own until they are stopped, and the one that would build and test again. */
const BACKGROUND = new Set(["assay serve", "assay fake-endpoint", "npm run setup", "npm start", "npm test"])

/** Returns the steps of a page in their order, without those that run until they are stopped. */
export function pageSteps(page: string): readonly PageStep[] {
  const [, ...parts] = page.split(/^```sh\n/m)
  return parts
    .map((part) => {
      const [commands = "", ...rest] = part.split(/^```\n/m)
      const after = rest.join("```\n")
      return {
        commands,
        output: /^```text\n([\s\S]*?)^```/m.exec(after)?.[1],
        exitCode: Number(/exit code is (\d+)/.exec(after)?.[1] ?? 0),
      }
    })
    .filter(({ commands }) => !isBackground(commands))
}

/** Returns whether the block is a command that runs until it is stopped. */
function isBackground(commands: string): boolean {
  return BACKGROUND.has(commands.trim()) || SCRIPTED.test(commands.trim())
}

const SCRIPTED = /^assay fake-endpoint --script (\S+)$/m

/** Returns the file from which the endpoint of a page plays models. Undefined: the page names none. */
export function scriptOf(page: string): string | undefined {
  return SCRIPTED.exec(page)?.[1]
}

/** Returns whether a page starts a server of its own. */
export function startsServer(page: string): boolean {
  return page.includes("```sh\nassay serve\n```")
}

/** Returns a page with other outputs: of each step, in their order, whose output the page shows. */
export function withOutputs(page: string, outputs: readonly string[]): string {
  const [head = "", ...parts] = page.split(/^```sh\n/m)
  const waiting = outputs.values()
  const written = parts.map((part) => {
    const [commands = ""] = part.split(/^```\n/m)
    if (isBackground(commands) || !/^```text\n/m.test(part)) return part
    const output = waiting.next().value ?? ""
    return part.replace(/^```text\n[\s\S]*?^```/m, () => `\`\`\`text\n${output.trimEnd()}\n\`\`\``)
  })
  return [head, ...written].join("```sh\n")
}

/** Replaces what differs from run to run: durations, times, ids, digests, and the widths of columns that hold them. */
export function comparable(output: string): string {
  return output
    .replaceAll(/\d+(\.\d+)? (ms|s)\b/g, "# $2")
    .replaceAll(/\b\d{8}-\d{6}\b/g, "<time>")
    .replaceAll(/\bjust now\b|\b\d+ (?:seconds?|minutes?) ago\b/g, "<time>")
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/\b[a-z]+-[A-Za-z\d]{20,22}\b/g, "<id>")
    .replaceAll(/\b[0-9a-f]{8,64}\b/g, "<digest>")
    .replaceAll(/ +/g, " ")
    .replaceAll(/ $/gm, "")
    .trim()
}
