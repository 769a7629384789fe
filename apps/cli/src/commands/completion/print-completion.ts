import type { Command } from "commander"
import type { Context } from "../../context.ts"
import { writeText } from "../../output/write-text.ts"

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }
export type Shell = keyof typeof SCRIPTS

/** Prints the ids of jobs of the server, one per line, and nothing if it does not answer. Its errors are not shown. */
const JOBS = "assay completion jobs 2>/dev/null"

/** Runs `assay completion <shell>`. */
export async function printCompletion({ stdout }: Context, shell: Shell, program: Command): Promise<void> {
  await writeText(stdout, SCRIPTS[shell](commandTree(program)))
}

const MAX_JOBS = 50
const PATIENCE_MS = 1000

/** Runs `assay completion jobs`. */
export async function printJobs(context: Context): Promise<void> {
  const { openClient } = await import("../../open-client.ts")
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(PATIENCE_MS)])
  try {
    const { data } = await openClient(context).evaluation.jobs.page({ page_size: MAX_JOBS }, { signal })
    await writeText(context.stdout, data.map(({ id }) => `${id}\n`).join(""))
  } catch {
    // A shell that completes a word shows no errors.
  }
}

/** Returns a completion script for bash. Arguments without a list of words are completed as ids of jobs and file names. */
function bashCompletion(tree: readonly CompletedCommand[]): string {
  const paths = tree.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`)
  const cases = tree.map(({ path, words, options, takes }) => {
    const all = [...words.map(({ name }) => name), ...options.map(({ long }) => long)]
    return `    "${path}") words="${all.join(" ")}"${takes === undefined ? "" : ` takes=${takes}`} ;;`
  })
  return `_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" next word words="" takes=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case "$next" in
      ${paths.join(" | ")}) path="$next" ;;
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  if [[ "$current" != -* && -n "$takes" ]]; then
    words=""
    [[ "$takes" == jobs ]] && words="$(${JOBS})"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _assay assay
`
}

/** Returns a completion script for zsh. Arguments without a list of words are completed as ids of jobs and file names. */
function zshCompletion(tree: readonly CompletedCommand[]): string {
  const paths = tree.filter(({ path }) => path !== "").map(({ path }) => quoteForZsh(path))
  const cases = tree.map(({ path, words, options, takes }) => {
    const entries = [
      ...words.map(({ name, summary }) => quoteForZsh(`${name}:${escapeColons(summary)}`)),
      ...options.map(({ long, description }) => quoteForZsh(`${long}:${escapeColons(description)}`)),
    ]
    return `    ${quoteForZsh(path)}) entries=(${entries.join(" ")})${takes === undefined ? "" : `; takes=${takes}`} ;;`
  })
  return `#compdef assay
_assay() {
  local path_so_far="" next word takes=""
  local -a entries
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    next="\${path_so_far:+$path_so_far }$word"
    case "$next" in
      ${paths.join(" | ")}) path_so_far="$next" ;;
    esac
  done
  case "$path_so_far" in
${cases.join("\n")}
  esac
  if [[ "\${words[CURRENT]}" != -* && -n "$takes" ]]; then
    [[ "$takes" == jobs ]] && compadd -- \${(f)"$(${JOBS})"}
    _files
    return
  fi
  _describe command entries || _files
}
compdef _assay assay
`
}

function quoteForZsh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function escapeColons(text: string): string {
  return text.replaceAll(":", "\\:")
}

/** Returns a completion script for fish. Arguments without a list of words are completed as ids of jobs and file names. */
function fishCompletion(tree: readonly CompletedCommand[]): string {
  const paths = tree.filter(({ path }) => path !== "").map(({ path }) => quoteForFish(path))
  const lines = tree.flatMap(({ path, words, options, takes }) => {
    const start = `complete -c assay -n ${quoteForFish(`test (__assay_path) = "${path}"`)}`
    return [
      ...words.map(({ name, summary }) => `${start} -f -a ${name} -d ${quoteForFish(summary)}`),
      ...(takes === "jobs" ? [`${start} -a ${quoteForFish(`(${JOBS})`)}`] : []),
      ...options.map((option) => `${start} ${formatOption(option)} -d ${quoteForFish(option.description)}`),
    ]
  })
  return `function __assay_path
  set -l path ""
  for word in (commandline -opc)[2..-1]
    set -l next (string trim "$path $word")
    if contains -- $next ${paths.join(" ")}
      set path $next
    end
  end
  echo "$path"
end
${lines.join("\n")}
`
}

function formatOption({ long, takesValue, choices }: CompletedOption): string {
  const name = `-l ${long.replace(/^--/, "")}`
  if (!takesValue) return name
  return choices.length === 0 ? `${name} -r` : `${name} -x -a ${quoteForFish(choices.join(" "))}`
}

function quoteForFish(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
}

/** A command with the words that a shell can complete. */
interface CompletedCommand {
  /** Full name, such as `fileset list`. Empty for the program itself. */
  readonly path: string
  /** Words that can follow: subcommands, or the values of an argument. */
  readonly words: readonly { readonly name: string; readonly summary: string }[]
  readonly options: readonly CompletedOption[]
  /** The kind of things that its arguments name, for a command whose words are not listed. */
  readonly takes?: "files" | "jobs"
}

interface CompletedOption {
  readonly long: string
  readonly description: string
  readonly takesValue: boolean
  /** Its values, if the list is closed. */
  readonly choices: readonly string[]
}

/** Returns a command and, after it, all commands below it. */
function commandTree(command: Command, above: readonly string[] = []): readonly CompletedCommand[] {
  const verbs = command.commands.map((child) => ({ name: child.name(), summary: child.summary() }))
  const values = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((name) => ({ name, summary: description })),
  )
  const options = command.options.flatMap(({ long, description, required, optional, argChoices }) =>
    typeof long === "string"
      ? [{ long, description, takesValue: required || optional, choices: argChoices ?? [] }]
      : [],
  )
  const help = { long: "--help", description: "show help", takesValue: false, choices: [] }
  const words = [...verbs, ...values]
  const isJob = command.registeredArguments.some((argument) => ["job", "jobs"].includes(argument.name()))
  const takes = isJob ? "jobs" : "files"
  const isList = words.length > 0 || command.registeredArguments.length === 0
  const own = { path: above.join(" "), words, options: [...options, help], ...(isList ? {} : ({ takes } as const)) }
  return [own, ...command.commands.flatMap((child) => commandTree(child, [...above, child.name()]))]
}
