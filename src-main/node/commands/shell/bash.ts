import type { Candidates } from './candidates.ts';

/** Completions for bash 3.2 and newer, which is that of macOS. */
export function bashCompletion({ places, files, paths, valued }: Candidates): string {
  const words = [...places].map(
    ([place, some]) => `    ${quoted(place)}) words=${quoted(some.map(({ word }) => word).join(' '))} ;;`,
  );
  const kinds = [...files].map(([place, kind]) => `    ${quoted(place)}) kind=${kind} ;;`);
  return `# bash completion for broadsheet
_broadsheet_words() {
  case "$1" in
${kinds.join('\n')}
${words.join('\n')}
    *) return 1 ;;
  esac
}
_broadsheet() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' option='' before='' count=0 place word words='' kind=''
  local index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    # --option=value comes as three words.
    if [[ "$word" == '=' ]]; then continue; fi
    if [[ -n "$option" ]]; then option=''; continue; fi
    case "$word" in
      ${valued.map(quoted).join('|')}) option="$word"; continue ;;
      -*) continue ;;
    esac
    case "$path/$word" in
      ${paths.map(quoted).join('|')}) path="$path/$word"; before=''; count=0 ;;
      *) before="$word"; count=$((count + 1)) ;;
    esac
  done
  if [[ "$current" == '=' ]]; then current=''; fi
  if [[ -n "$option" ]]; then place="$path $option"
  elif [[ "$current" == -* ]]; then place="$path options"
  else place="$path $count"; fi
  _broadsheet_words "$place" || _broadsheet_words "$place $before" || _broadsheet_words " $option"
  COMPREPLY=()
  case "$kind" in
    folder) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$current")) ;;
    file) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
complete -F _broadsheet broadsheet
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
