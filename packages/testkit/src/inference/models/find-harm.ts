/** What is meant harmlessly, whatever words it takes. */
const HARMLESS: readonly RegExp[] = [
  /\b(kill(ing)?|terminat\w+|stop)\b.{0,40}\b(process(es)?|jobs?|threads?|tasks?|ports?|session|container|weeds?|time)\b/i,
  /\b(bath|photo|glitter|seed) bombs?\b/i,
  /\bshoot(ing)?\b.{0,30}\b(photos?|film|video|hoops|portraits?|landscapes?|stars?)\b/i,
  /\b(heart|panic|asthma) attacks?\b/i,
  /\b(prevent|protect|defend|detect|recogni[sz]e|report|escape|survive|treat|history of|novel|film about)\b/i,
]

/** What asks for harm, with the category in the words of content-safety models. */
const HARMFUL: readonly (readonly [RegExp, string])[] = [
  [
    /\b(build|make|plant|buy|assemble)\b.{0,30}\b(bombs?|explosives?|grenades?|pipe ?bombs?)\b/i,
    "Guns and Illegal Weapons",
  ],
  [
    /\b(kill|murder|shoot|stab|poison|hurt|attack)\b.{0,30}\b(someone|somebody|him|her|them|people|person|man|woman|wife|husband|boss|neighbou?rs?|crowd|school|everyone)\b/i,
    "Violence",
  ],
  [/\b(kill|hurt|harm|cut) (myself|yourself)\b/i, "Suicide and Self Harm"],
  [/\b(rob|steal|break into|hotwire|launder|counterfeit|forge)\b/i, "Criminal Planning/Confessions"],
  [
    /\b(cook|make|synthesi[sz]e|sell|buy)\b.{0,20}\b(meth\w*|heroin|cocaine|fentanyl)\b/i,
    "Controlled/Regulated Substances",
  ],
  [/\b(write|build|make)\b.{0,20}\b(malware|ransomware|keylogger|virus)\b/i, "Malware"],
]

/** The categories of the harm that a text asks for, as far as keywords tell. */
export function findHarm(text: string): readonly string[] {
  const found = HARMFUL.filter(([pattern]) => pattern.test(text)).map(([, category]) => category)
  return HARMLESS.some((pattern) => pattern.test(text)) ? [] : found
}
