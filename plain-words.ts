/** Words that readers have to think about in comments and test titles, each with what to write instead. */
const instead: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bnobody\b/gi, '"no one", or the condition'],
  [/\bwho(?:so)?ever\b/gi, 'the role, such as "the caller" or "the owner"'],
  [/\bwhatever\b/gi, '"any", or "regardless of"'],
  [/\btold\b/gi, '"notified", "sent" or "shown"'],
  [/\btells? of\b/gi, '"reports" or "shows"'],
  [/\bstands\b/gi, '"is" or "represents"'],
  [/\blies under\b/gi, '"is stored below"'],
  [/\bno news\b/gi, '"no new records" or "no error"'],
  [/\b(?:is|are|was|were) to be\b/gi, '"must be" or "will be"'],
  [/\bmeant\b/gi, '"intended", or the name of the thing'],
  [/\bof before\b/gi, '"previous" or "former"'],
  [/\bof (?:its|their) own\b/gi, '"its own" before the noun, or "separate"'],
  [/\blearns?\b/gi, '"receives" or "detects"'],
  [/\bwish(?:es)?\b/gi, '"wants" of people, "requests" of programs'],
];

type Range = readonly [start: number, end: number];

interface Call {
  readonly callee: { readonly name?: string; readonly object?: { readonly name?: string } };
  readonly arguments: readonly { readonly type: string; readonly range: Range }[];
}

/** The part of oxlint's context that the rule uses. */
interface Context {
  readonly sourceCode: {
    readonly text: string;
    readonly getAllComments: () => readonly { readonly range: Range }[];
    readonly getLocFromIndex: (index: number) => object;
  };
  readonly report: (problem: { readonly loc: object; readonly message: string }) => void;
}

/** Reports these words in a part of the source, except in code between backticks. */
function check(context: Context, [from, to]: Range): void {
  const text = context.sourceCode.text.slice(from, to).replaceAll(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
  for (const [word, better] of instead) {
    for (const { 0: found, index } of text.matchAll(word)) {
      const start = context.sourceCode.getLocFromIndex(from + index);
      const end = context.sourceCode.getLocFromIndex(from + index + found.length);
      context.report({ loc: { start, end }, message: `Instead of "${found}", write ${better}.` });
    }
  }
}

const plain = {
  create: (context: Context) => ({
    Program: () => context.sourceCode.getAllComments().forEach(({ range }) => check(context, range)),
    CallExpression({ callee, arguments: [title] }: Call): void {
      const isTitled = /^(?:describe|it|test)$/.test(callee.name ?? callee.object?.name ?? '');
      if (isTitled && title?.type === 'Literal') check(context, title.range);
    },
  }),
};

/** A plugin of oxlint. */
export default { meta: { name: 'words' }, rules: { plain } };
