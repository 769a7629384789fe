/** Words that a period ends without ending a sentence, in lower case and without the last period. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  [
    "adm ala ariz ark aug ave bldg bros calif ch cie cmdr co col colo conn corp cos ct dec del dr feb fla fri ft ga gen gov",
    "ill inc ind jan jr kan ky la lt ltd maj mass md messrs mg minn mr mrs ms neb nev nov oct okla ore pa ph ph.d prof pty",
    "rep reps rev sen sept sgt sr st tenn tex tr tues va vs vt wash wed wis yr a.m p.m a.d b.a b.c b.s d.c l.a m.a m.b.a m.d m.s",
    "n.c n.d n.h n.j n.m n.v n.y r.i s.a s.c s.d s.p.a u.k u.n u.s u.s.a u.s.s.r w.va c d e f g h j k l m n p r s t v w",
  ].flatMap((line) => line.split(" ")),
)
/** Words that begin a sentence, if they are in upper case after an abbreviation. */
const STARTERS: ReadonlySet<string> = new Set(
  (
    "a after all also although an and another any as at because before both but by despite during each even every few finally for from " +
    "he her here his how however i if in instead into it its last later many meanwhile moreover most my nevertheless next no nor not now " +
    "of on once one only or other our over perhaps separately several she since so some still such than that the their then there these " +
    "they this those though thus to under unlike until we what when where whether which while who why with without yet you your"
  ).split(" "),
)

/** Returns whether a word without its last period is an abbreviation. The part after a hyphen counts, too. */
export function isAbbreviation(word: string): boolean {
  return ABBREVIATIONS.has(word) || ABBREVIATIONS.has(word.slice(word.lastIndexOf("-") + 1))
}

/** Returns whether a word in upper case begins a sentence. */
export function isStarter(word: string): boolean {
  return /^\p{Lu}/u.test(word) && STARTERS.has(word.toLowerCase())
}
