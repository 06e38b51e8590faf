// SPDX-License-Identifier: Apache-2.0
// A program that prints in all ways, and to the file that its argument names.
#include <windows.h>

#include <errno.h>
#include <stdio.h>
#include <tchar.h>

int _tmain(int argc, TCHAR* argv[]) {
    printf("narrow %d\n", 1);
    wprintf(L"wide %s\n", L"\u00e4");
    printf("constant\n");  // compilers make puts of this
    printf("%c", 'c');     // and putchar of this
    putchar('\n');
    fputs("fputs\n", stdout);
    _putws(L"_putws");
    _putts(_T("_putts"));
    fprintf(stderr, "constant error\n");  // fwrite
    fwprintf(stderr, L"error %d\n", 2);
    errno = ENOENT;
    perror("perror");
    fflush(stdout);
    fflush(NULL);

    if (argc > 1) {
        if (_tfreopen(argv[1], _T("w"), stdout) != stdout) {
            return 1;
        }
        _tprintf(_T("to the file %I64u\n"), 1ULL << 40);
        puts("also");
        _fcloseall();
        printf("and after closing all\n");
    }
    fprintf(stderr, "done\n");
    return 0;
}
