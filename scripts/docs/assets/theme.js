// Before anything is painted: the theme chosen here or in the console last, else the system's.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('tollgate-color-scheme');
  } catch {
    // storage may be forbidden; the system's theme will do
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.documentElement.dataset.scripts = 'on';
})();
