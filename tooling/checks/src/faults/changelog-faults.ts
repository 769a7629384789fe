const MAX_WORDS = 30

/** Returns what is wrong with a changelog for packages of these versions, each as a sentence. */
export function changelogFaults(changelog: string, versions: readonly string[]): readonly string[] {
  const sections = changelog.split(/^## /m).slice(1)
  const described = new Set(
    sections.filter((section) => /^- /m.test(section)).map((section) => section.split("\n", 1)[0]),
  )
  const several = versions.length === 1 ? [] : [`Packages have several versions: ${versions.join(", ")}.`]
  const missing = versions
    .filter((version) => !described.has(version))
    .map((version) => `CHANGELOG.md has no entry for version ${version}.`)
  const long = entries(changelog)
    .filter((words) => words.length > MAX_WORDS)
    .map(
      (words) =>
        `CHANGELOG.md: an entry has ${words.length} words, at most ${MAX_WORDS} are allowed: ${words.slice(0, 5).join(" ")}…`,
    )
  return [...several, ...missing, ...long]
}

/** Returns the words of each entry. An entry can continue on indented lines. */
function entries(changelog: string): readonly (readonly string[])[] {
  const found = changelog.match(/^- .*(?:\n {2}.*)*/gm) ?? []
  return found.map((entry) => entry.slice(2).split(/\s+/).filter(Boolean))
}
