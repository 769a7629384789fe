import type { CompletedCommand, CompletedOption } from "./command-tree.ts"

/** A completion script for fish; what it has no words for is completed as a file name. */
export function fishCompletion(tree: readonly CompletedCommand[]): string {
  const paths = tree.filter(({ path }) => path !== "").map(({ path }) => quote(path))
  const lines = tree.flatMap(({ path, words, options }) => {
    const start = `complete -c assay -n ${quote(`test (__assay_path) = "${path}"`)}`
    return [
      ...words.map(({ name, summary }) => `${start} -f -a ${name} -d ${quote(summary)}`),
      ...options.map((option) => `${start} ${formatOption(option)} -d ${quote(option.description)}`),
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
  return choices.length === 0 ? `${name} -r` : `${name} -x -a ${quote(choices.join(" "))}`
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
}
