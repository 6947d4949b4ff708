// Saves a file that was made or fetched in the page. Must not hold the bytes longer than the browser needs.

const releasedAfterMs = 60_000;

export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), releasedAfterMs);
}
