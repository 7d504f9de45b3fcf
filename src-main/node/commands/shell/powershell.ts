import type { Candidate, Candidates } from './candidates.ts';

/** Completions for PowerShell 5.1 and newer. */
export function powershellCompletion({ places, files, paths, valued }: Candidates): string {
  const words = [...places].map(([place, some]) => `    ${quoted(place)} = @(${some.map(pair).join(', ')})`);
  const kinds = [...files.keys()].map(quoted);
  return `# PowerShell completion for broadsheet
Register-ArgumentCompleter -Native -CommandName broadsheet -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $places = @{
${words.join('\n')}
  }
  $files = @(${kinds.join(', ')})
  $paths = @(${paths.map(quoted).join(', ')})
  $valued = @(${valued.map(quoted).join(', ')})
  $path = ''; $option = ''; $before = ''; $count = 0
  $earlier = $commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition }
  foreach ($element in $earlier) {
    $word = if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $element.Value } else { $element.Extent.Text }
    if ($option) { $option = ''; continue }
    if ($valued -ccontains $word) { $option = $word; continue }
    if ($word.StartsWith('-')) { continue }
    if ($paths -ccontains "$path/$word") { $path = "$path/$word"; $before = ''; $count = 0 }
    else { $before = $word; $count += 1 }
  }
  $place = if ($option) { "$path $option" } elseif ("$wordToComplete".StartsWith('-')) { "$path options" } else { "$path $count" }
  # Without a result, PowerShell offers files.
  if ($files -ccontains $place -or $files -ccontains " $option") { return }
  $found = foreach ($one in @($place, "$place $before", " $option")) { if ($places.ContainsKey($one)) { $places[$one]; break } }
  foreach ($one in $found) {
    $word, $about = $one -split "\`t", 2
    if ($word -like ([WildcardPattern]::Escape("$wordToComplete") + '*')) {
      if (-not $about) { $about = $word }
      [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
    }
  }
}
`;
}

function pair({ word, about }: Candidate): string {
  return about === '' ? quoted(word) : `(${quoted(word)} + "\`t" + ${quoted(about)})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
