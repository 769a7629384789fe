import type { CompletedCommand } from "./command-tree.ts"

/** A completion script for zsh; what it has no words for is completed as a file name. */
export function zshCompletion(tree: readonly CompletedCommand[]): string {
  const paths = tree.filter(({ path }) => path !== "").map(({ path }) => quote(path))
  const cases = tree.map(({ path, words, options }) => {
    const entries = [
      ...words.map(({ name, summary }) => quote(`${name}:${escapeColons(summary)}`)),
      ...options.map(({ long, description }) => quote(`${long}:${escapeColons(description)}`)),
    ]
    return `    ${quote(path)}) entries=(${entries.join(" ")}) ;;`
  })
  return `#compdef assay
_assay() {
  local path_so_far="" next word
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
  _describe command entries || _files
}
compdef _assay assay
`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function escapeColons(text: string): string {
  return text.replaceAll(":", "\\:")
}
