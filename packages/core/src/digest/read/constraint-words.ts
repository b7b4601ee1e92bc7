/**
 * How people forbid, correct and demand, in ten languages. `denials` forbid or correct; `demands` oblige or limit.
 * Word borders are those of letters in any script; Chinese, Japanese and Korean have none.
 */
interface Language {
  readonly denials: string;
  readonly demands: string;
  /** Phrases that look like a denial and are none. */
  readonly not?: string;
}

/** The clause starts here: only there is a bare "no" or "не" an order. */
const start =
  '(?:^|[,;]\\s*|\\b(?:and|but|also|please|und|aber|bitte|et|mais|y|pero|por favor|e|mas|ma|per favore)\\s+)';

export const spaced: Readonly<Record<string, Language>> = {
  en: {
    denials: `never|don[’']?t|do not|must not|mustn[’']?t|should(?:n[’']?t| not)|may not|can(?:no|[’'])t (?:use|change|touch|edit|break|push)|
      not allowed|forbidden|off[- ]limits|stop|no longer|no more|not yet|hands off|leave .{1,60} (?:alone|as is|untouched)|
      under no circumstances|instead|rather than|i meant|i said|i mean|that[’']?s (?:not|wrong)|not what i|actually|wrong|
      revert|undo|no need to|not .{1,60} but|on second thought|scratch that|forget (?:about|what|that)|changed my mind`,
    demands: `must|always|only|make sure|ensure|be sure to|need(?:s)? to|has to|have to|required?|avoid|without|except|unless|until|
      at (?:most|least)|no (?:more|less|fewer) than|exactly|keep|prefer|should|strictly|remember|important|from now on|limit|
      before (?:you|committing|pushing)|use .{1,60} not|as long as|no new`,
    not: `i (?:don[’']?t|do not) (?:know|think|see|understand|mind|care|remember|believe|like|have|want to)|don[’']?t worry|why (?:don|do not)|
      what(?:ever)? (?:don|is wrong)|don[’']?t you think`,
  },
  de: {
    denials: `nie|niemals|nicht|kein(?:e|en|er|es|em)?|auf keinen fall|keinesfalls|verboten|untersagt|h[öo]r auf|stopp?|stattdessen|
      ich meinte|ich meine|das ist falsch|falsch|r[üu]ckg[äa]ngig|doch nicht|lass(?:t|e)? .{1,60} (?:in ruhe|so)|finger weg|sondern`,
    demands: `muss|musst|m[üu]ssen|immer|nur|ausschlie(?:ß|ss)lich|ohne|vermeide|unbedingt|soll(?:st|en|te|ten)?|h[öo]chstens|mindestens|
      achte|stelle? sicher|zwingend|bevor|erst wenn|ab jetzt|genau|bleib`,
    not: 'wei(?:ß|ss) (?:ich )?nicht|glaube? (?:ich )?nicht|verstehe (?:ich )?nicht|keine ahnung|kein problem|warum nicht',
  },
  fr: {
    denials: `jamais|n[e’'].{1,60}\\s(?:pas|plus|jamais|rien)|(?:surtout )?pas (?:de|d[’']|encore)|surtout pas|interdit|interdiction|arr[êe]te[zr]?|
      je voulais dire|c[’']est faux|plut[ôo]t que|au lieu de|annule[rz]?|laisse[rz]?`,
    demands: `doit|dois|doivent|devez|il faut|toujours|uniquement|seulement|sans|[ée]vite[rz]?|assure|obligatoire|au (?:plus|moins)|
      exactement|avant de|d[ée]sormais|sauf`,
    not: 'je ne (?:sais|comprends|pense|crois|vois) pas|pas de probl[èe]me|est-ce que|parce que|pourquoi',
  },
  es: {
    denials: `nunca|jam[áa]s|no (?:debes?|deben|puedes?|se (?:puede|debe)|hace falta)|prohibido|quise decir|quer[íi]a decir|me refer[íi]a|est[áa] mal|
      en (?:lugar|vez) de|deja de|para de|deshaz|revierte|ya no|tampoco|sino`,
    demands: `debes?|deben|siempre|solo|s[óo]lo|solamente|[úu]nicamente|sin|evita|aseg[úu]rate|hay que|tiene(?:s|n)? que|
      como m[áa]ximo|al menos|exactamente|antes de|a partir de ahora|salvo|excepto|obligatorio`,
    not: 'no (?:s[ée]|entiendo|creo|veo|recuerdo)|no hay problema|no importa',
  },
  pt: {
    denials: `nunca|jamais|n[ãa]o (?:deve|pode|devem|podem|precisa)|proibido|quis dizer|queria dizer|est[áa] errado|em vez de|ao inv[ée]s|
      pare de|desfa[çc]a|reverta|sen[ãa]o`,
    demands: `deve|devem|sempre|apenas|só|somente|unicamente|sem|evite|certifique|garanta|tem que|precisa|
      no m[áa]ximo|pelo menos|exatamente|antes de|a partir de agora|exceto|obrigat[óo]rio`,
    not: 'n[ãa]o (?:sei|entendo|acho|vejo|lembro)|n[ãa]o tem problema',
  },
  it: {
    denials: `mai|non (?:devi|deve|devono|puoi|si (?:pu[òo]|deve)|bisogna)|vietato|proibito|intendevo|volevo dire|[èe] sbagliato|
      invece (?:di|che)|smetti|annulla|bens[ìi]`,
    demands: `devi|deve|devono|sempre|solo|soltanto|solamente|unicamente|senza|evita|assicurati|bisogna|occorre|
      al massimo|almeno|esattamente|prima di|d[’']ora in poi|tranne|obbligatorio`,
    not: 'non (?:so|capisco|credo|vedo|ricordo)|non importa',
  },
  ru: {
    denials: `никогда|нельзя|запрещ\\p{L}+|не (?:надо|нужно|стоит|трогай\\p{L}*|меняй\\p{L}*|удаляй\\p{L}*|делай\\p{L}*|используй\\p{L}*)|
      перестань\\p{L}*|хватит|стоп|вместо|я имел[а]? в виду|имелось в виду|неправильно|неверно|отмени\\p{L}*|больше не|ни в коем случае`,
    demands: `долж\\p{L}+|обязательно|всегда|только|без|избегай\\p{L}*|убедись|убедитесь|нужно|надо|необходимо|
      не (?:более|больше|менее|меньше)|ровно|прежде чем|отныне|кроме|лишь`,
    not: 'не (?:знаю|понимаю|думаю|вижу|помню)',
  },
};

export const bareOrders = [
  `${start}no,? `,
  `${start}(?:no|nao|não|non|не|ne|nicht|kein\\p{L}*) \\p{L}+`,
  '^(?:no|nein|non|não|нет)[,.!:]',
];

export const unspaced: Readonly<Record<string, Language>> = {
  zh: {
    denials:
      '不要|别(?!的|人|名)|不准|不许|不得|禁止|绝不|切勿|请勿|勿|千万|不能|不可以?|不允许|停止|不对|错了|我的意思是|我是说|不是.{1,40}而是|而不是|撤销|撤回|不再',
    demands:
      '必须|一定要|只能|只(?:需|要|用|改|有)|仅|总是|始终|永远|务必|避免|应该|应当|需要|确保|至少|最多|之前不|除非|除了|不超过',
  },
  ja: {
    denials:
      'ないで|しないこと|禁止|決して|絶対|いけな|いけません|ならな|なりません|だめ|ダメ|駄目|やめて|止めて|いいえ|違い?ます|違う|そうじゃな|そうではな|という意味|のつもり|ではなく|じゃなく|取り消|戻して|不要',
    demands:
      '必ず|常に|いつも|だけ|のみ|べき|なければな|ようにして|してください|避け|以内|以下|以上|まで(?:に|は)|必要|限り|除い',
  },
  ko: {
    denials:
      '(?:하|지|쓰|바꾸|건드리)지\\s?(?:마|말|않)|지\\s?마|말고|말아|마세요|마십시오|절대|금지|안\\s?(?:돼|됩|된)|아니[,요라]|아닙니다|제 말은|내 말은|그게 아니|틀렸|대신|멈춰|그만|취소|되돌',
    demands: '반드시|꼭|항상|언제나|오직|만\\s|해야|하세요|해\\s?주세요|없이|피해|피하|이내|이하|이상|필요|제외|유지',
  },
};
