import type { CompletedCommand } from "./command-tree.ts"

/** A completion script for bash; what it has no words for is completed as a file name. */
export function bashCompletion(tree: readonly CompletedCommand[]): string {
  const paths = tree.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`)
  const cases = tree.map(({ path, words, options }) => {
    const all = [...words.map(({ name }) => name), ...options.map(({ long }) => long)]
    return `    "${path}") words="${all.join(" ")}" ;;`
  })
  return `_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" next word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case "$next" in
      ${paths.join(" | ")}) path="$next" ;;
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _assay assay
`
}
