/** The effects of a Dockerfile on files, as commands of a shell, or why they need its image. */
export interface DockerfilePlan {
  readonly image: string
  readonly workdir: string
  /** Commands that create the files, run in the sandbox with the build context at `/ctx`. */
  readonly commands: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  /** Undefined: the sandbox can do all of it. */
  readonly leftOut: string | undefined
}

/** Commands that change files only, and are on every machine. */
const PLAIN = /^(?:mkdir|touch|chmod|ln|cp|mv|rm|echo|printf|true)\b[^|;&`<>(]*$/
/** Instructions about how a container is started, which the sandbox decides. */
const IGNORED: ReadonlySet<string> = new Set([
  "CMD",
  "ENTRYPOINT",
  "EXPOSE",
  "LABEL",
  "MAINTAINER",
  "HEALTHCHECK",
  "STOPSIGNAL",
])
const MAX_INSTRUCTIONS = 500

/** Reads a Dockerfile. One that installs programs, or copies from other images, is left out. */
export function readDockerfile(text: string): DockerfilePlan {
  const lines = text.replaceAll(/\\\r?\n/g, " ").split(/\r?\n/)
  const commands: string[] = []
  const variables: Record<string, string> = {}
  let image = ""
  let workdir = "/"
  let leftOut: string | undefined
  for (const line of lines.slice(0, MAX_INSTRUCTIONS)) {
    const [, word = "", rest = ""] = /^\s*([A-Za-z]+)\s+(.*?)\s*$/.exec(line) ?? []
    const instruction = word.toUpperCase()
    if (instruction === "" || IGNORED.has(instruction)) continue
    if (instruction === "FROM") {
      if (image !== "") leftOut ??= "its image is built of several stages"
      image ||= rest.split(/\s+/)[0] ?? ""
    } else if (instruction === "WORKDIR") {
      workdir = rest.startsWith("/") ? rest : `${workdir.replace(/\/$/, "")}/${rest}`
      commands.push(`mkdir -p ${quote(workdir)}`)
    } else if (instruction === "ENV") Object.assign(variables, readVariables(rest))
    else if (instruction === "COPY" || instruction === "ADD") {
      const copy = copyCommand(rest, workdir)
      if (copy === undefined) leftOut ??= `its image has '${short(line)}'`
      else commands.push(copy)
    } else if (instruction === "RUN") {
      const parts = rest.split("&&").map((part) => part.trim())
      if (parts.every((part) => PLAIN.test(part))) commands.push([`cd ${quote(workdir)}`, ...parts].join(" && "))
      else leftOut ??= `its image runs '${short(parts.find((part) => !PLAIN.test(part)) ?? rest)}'`
    } else if (instruction !== "USER" || rest !== "root") leftOut ??= `its image has '${short(line)}'`
  }
  return { image, workdir, commands, variables, leftOut }
}

function copyCommand(rest: string, workdir: string): string | undefined {
  const words = rest.startsWith("[") ? [] : rest.split(/\s+/)
  const target = words.at(-1)
  const sources = words.slice(0, -1)
  const isPlain =
    sources.every((source) => /^[\w./*-]+$/.test(source) && !source.includes("..")) && !rest.includes("--")
  if (target === undefined || sources.length === 0 || !isPlain || !/^[\w./-]+$/.test(target)) return undefined
  const to = target.startsWith("/") ? target : `${workdir.replace(/\/$/, "")}/${target}`
  const isFolder = sources.length > 1 || /\/$|\/\.$/.test(to) || to === workdir
  const folder = isFolder ? to : to.replace(/\/[^/]*$/, "") || "/"
  const copies = sources.map((source) => `copy ${quote(`/ctx/${source}`)} ${quote(to)}`)
  return [`mkdir -p ${quote(folder)}`, ...copies].join(" && ")
}

function readVariables(rest: string): Readonly<Record<string, string>> {
  const pairs = [...rest.matchAll(/([A-Za-z_]\w*)=("[^"]*"|\S*)/g)]
  if (pairs.length > 0)
    return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, value.replaceAll('"', "")]))
  const [, name, value] = /^([A-Za-z_]\w*)\s+(.*)$/.exec(rest) ?? []
  return name === undefined ? {} : { [name]: value ?? "" }
}

/** Quotes a word of a shell. */
export function quote(word: string): string {
  return /^[\w./*-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

function short(text: string): string {
  return text.trim().slice(0, 60)
}
