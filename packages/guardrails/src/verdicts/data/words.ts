/** Words that answer whether there is a risk, in lower case. */
export type YesNoWords = Readonly<Record<string, "yes" | "no">>

/** Words that mean unsafe or demand a reaction to it, in several inflections and in lower case. */
export const HARM_WORD =
  /^(?:y|y{1,5}e{1,5}s{1,5}|yep|yeah|yup|unsafe(?:ly|ness)?|unsafety|invalid|insecure|nonsafe|harmful(?:ly|ness)?|harms?|harm(?:ed|ing)|hazard(?:s|ous)?|danger(?:s|ous|ously)?|malicious(?:ly)?|malware|toxic(?:ity)?|illegal(?:ly)?|illicit|hate(?:ful)?|abus(?:e|ive)|violat(?:e|es|ed|ing|ion|ions|ive)|violen(?:t|ce)|explicit|blocks?|block(?:ed|ing)|rejects?|reject(?:ed|ion)|refus(?:e|es|ed|al)|den(?:y|ies|ied|ial)|disallow(?:s|ed)?|prohibit(?:s|ed)?|forbidden|banned|ban|flag(?:s|ged)?|controversial|inappropriate|unacceptable|offensive|objectionable|problematic|offtopic|unrelated|threat(?:s|ening)?|risk(?:s|y)?|suspicious|fail(?:s|ed|ure)?|alert|warning|stop|escalate|restrict(?:ed)?|severe|critical|high|bad)$/

/** A word that contains one of these is one of the words above, or its opposite, or a disguise of one. */
export const HARM_STEM =
  /unsaf|nsafe|armfu|off?topic|danger|malicious|violat|invalid|flagg|blocked|prohibit|controvers|toxic/

/** Minimum number of letters of a part of a word. Shorter ones are words of some language. */
const SHORTEST_CUT = 5

/** Damaged words of the list that are other words, or forms of the same one. */
const WHOLE_WORDS: ReadonlySet<string> = new Set(
  "flag flags harm harms armful violate viola controversy controversia danger dangers valid safe safely lagged topic ation lation iation quest promo".split(
    " ",
  ),
)

/** Words of verdicts and of their keys, in any state of damage. A damaged word is not a word of a sentence. */
export const DAMAGED_HARM: ReadonlySet<string> = new Set(
  "unsafe harmful unharmful violation violates dangerous malicious controversial invalid flagged offtopic safety request response prompt"
    .split(" ")
    .flatMap((word) => damagesOf(word))
    .filter((damaged) => !WHOLE_WORDS.has(damaged)),
)

/** Returns a word without a letter, with two letters exchanged or one doubled, and the parts that a cut leaves of it. */
function damagesOf(word: string): readonly string[] {
  const damages = Array.from(word, (letter, at) => [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + word.charAt(at + 1) + letter + word.slice(at + 2),
    word.slice(0, at) + letter + word.slice(at),
    ...(at >= SHORTEST_CUT ? [word.slice(0, at)] : []),
    ...(word.length - at >= SHORTEST_CUT && at > 0 ? [word.slice(at)] : []),
  ]).flat()
  return damages.filter((damaged) => damaged !== word && !HARM_WORD.test(damaged))
}

/** Words that contain such a stem and mean the opposite, or something else. */
export const HARMLESS_WORD =
  /^(?:unharmful|nonviolat\w{0,4}|(?:non|un)?toxic(?:ology|olog\w{1,6}|ity)?|endanger\w{0,5}|inviolat\w{1,4}|unblocked|unflagged|flagging|flaggers?|invalidat\w{1,3}|invalidity|detoxic\w{0,6}|controvers(?:y|ies)|prohibition)$/

/** Words that call a message fine. After "not" each of them means the opposite. */
export const AGREEING_WORDS: ReadonlySet<string> = new Set(
  "safe harmless benign innocuous fine ok okay good clean clear acceptable allowed appropriate permitted compliant legitimate unharmful pass passed none nothing null na neutral educational low minimal normal unflagged suitable unproblematic on-topic on_topic ontopic".split(
    " ",
  ),
)

/** Words that "no" negates in a phrase that agrees with "safe", as in "no issues found". */
export const DENIED_NOUNS: ReadonlySet<string> = new Set(
  "issue issues harm harms risk risks violation violations concern concerns problem problems threat threats danger dangers category categories content language response intent data reason reasons match matches policy policies rule rules hate violence category abuse toxicity profanity harassment malware crime crimes weapons drugs action hazard hazards flags conflict applicable".split(
    " ",
  ),
)

/** Words in an agreeing phrase that do not change its meaning. */
export const FILLING_WORDS: ReadonlySet<string> = new Set(
  "very quite totally completely perfectly all entirely generally is it its this that the a an message request query question prompt input output text content user users was were found detected identified present listed apply applies applicable here of any and or s to be looks seems appears rated considered assistant by both".split(
    " ",
  ),
)

/** Short lines before or after a verdict. */
export const COURTESIES =
  /^(?:sure|okay|ok|certainly|of course|understood|got it|done|thanks|thank you|let me know|here(?: it is| you go| you are)|note|end|(?:(?:output|final) )?json(?: output)?|output|assistant|model|explanation|reasoning|reason|rationale|analysis|justification|assessment|my assessment|final assessment|result|results|verdict|final verdict|answers?|final answer|classification|conclusion|summary|evaluation|decision|in summary|in conclusion|field|rating|key|value|category|status|step by step)$/

/**
 * Words for yes and no in several languages, in lower case. The prompt of a self-check can be in any of them; no other family reads
 * these words. A word that means yes in one language and no in another is left out.
 */
export const YES_NO_WORDS: YesNoWords = {
  ...answers("yes", "yes ja oui sí si sim tak da ano áno evet kyllä igen jah jā taip po ya có bəli ndiyo"),
  ...answers("yes", "да так ναι نعم أجل بله हाँ हां জি হ্যাঁ ஆம் అవును ஆமாம் כן はい 是 是的 对 對 예 네 ใช่ այո კი"),
  ...answers("no", "no nein non não nao nie ne nej nee nei ei nem nu hayır hayir tidak không khong hindi hapana"),
  ...answers("no", "нет ні не όχι لا خیر नहीं না இல்லை కాదు לא いいえ いえ 否 不 不是 아니요 아니오 아뇨 ไม่ ոչ არა"),
}

function answers(meaning: "yes" | "no", words: string): YesNoWords {
  return Object.fromEntries(words.split(" ").map((word) => [word.normalize("NFKC"), meaning]))
}
