// Gives a person a file that the page has made or fetched. It must never leave the file's address behind.

/** Saves under a name, as the browser does with downloads. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken hold of the content by then.
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
