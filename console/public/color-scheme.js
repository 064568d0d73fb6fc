// Before anything is painted: the theme chosen here last, else the system's, so that a dark console never flashes white.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('tollgate-color-scheme');
  } catch {
    // storage may be forbidden; the system's theme will do
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
