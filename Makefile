# One command for each task; each installs what it needs first (tools/setup.sh) and is quick when all is there.
# CMake does the work itself: see CMakePresets.json.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
CMAKE = cmake --log-level=WARNING
SOURCES = $(shell find mubody cli python tests benchmarks -name '*.h' -o -name '*.c' -o -name '*.cpp' | sort)
UNITS = $(filter-out python/% tests/% benchmarks/%,$(filter %.cpp,$(SOURCES)))

.DEFAULT_GOAL := build
.PHONY: build python install package demo gallery test test-gpu test-interop bench lint format docs docs-tables pictures sanitize thread fuzz wasm studio test-studio clean help

## build: the program build/bin/mubody, and the library that it puts into FMUs
build:
	@tools/setup.sh core
	@$(CMAKE) --preset release -D MUBODY_TESTS=OFF -D MUBODY_BENCHMARKS=OFF > /dev/null
	@cmake --build --preset release -j $(JOBS) $(if $(ONLY),--target $(ONLY))
	@echo "mubody: the program is build/bin/mubody"

## python: the Python module, in build/python
python:
	@tools/setup.sh core python
	@$(CMAKE) --preset release -D MUBODY_TESTS=OFF -D MUBODY_BENCHMARKS=OFF -D MUBODY_PYTHON=ON > /dev/null
	@cmake --build --preset release -j $(JOBS) --target mubody_python_files
	@echo "mubody: the module is build/python/mubody; to import it:"
	@echo "  PYTHONPATH=$(CURDIR)/build/python /usr/bin/python3 -c 'import mubody; print(mubody.__version__)'"

## install: program, library, manual and examples, below PREFIX and, for packagers, DESTDIR
PREFIX ?= /usr/local
install: build
	@DESTDIR="$(DESTDIR)" cmake --install build --prefix "$(PREFIX)" > build/install.log
	@echo "mubody: installed in $(DESTDIR)$(PREFIX)"

## package: Debian packages of the same and of the Python module, in build/package
package:
	@tools/setup.sh core python package
	@$(CMAKE) --preset release -D MUBODY_TESTS=OFF -D MUBODY_BENCHMARKS=OFF -D MUBODY_PYTHON=ON > /dev/null
	@cmake --build --preset release -j $(JOBS)
	@for name in CPackConfig CPackPython; do \
	  cpack -B build --config build/$$name.cmake > build/package.log || { cat build/package.log; exit 1; }; done
	@echo "mubody: the packages are $$(ls build/package/*mubody_*.deb | tr '\n' ' ')"

## demo: run the four-bar example, and write a report that shows it moving
demo: ONLY = mubody_cli
demo: build
	@build/bin/mubody run examples/four_bar/model.toml --out build/demo --report

## gallery: the reports of all examples, and an index of them
gallery: build
	@tools/setup.sh gallery
	@tools/make_gallery.py build/bin/mubody build/gallery

## test: build and run all tests
test:
	@tools/setup.sh core test python
	@$(CMAKE) --preset release -D MUBODY_TESTS=ON -D MUBODY_PYTHON=ON > /dev/null
	@cmake --build --preset release -j $(JOBS)
	@ctest --preset release -j $(JOBS)

## test-interop: the wheel of the Python module in a virtual environment, with packages from PyPI; WHOLE=1 compiles it all
test-interop:
	@tools/setup.sh core python interop
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) tools/interop.sh build/interop

## test-gpu: sweeps on a graphics processor of this machine, with times; skipped where there is none
test-gpu: build
	@tools/test_gpu.sh build/bin/mubody examples || [ $$? = 77 ]

## bench: build and run the benchmarks; with PEERS=1 also the same problems in other programs, from Debian and PyPI
bench:
	@tools/setup.sh core bench $(if $(PEERS),peers)
	@$(CMAKE) --preset release -D MUBODY_TESTS=OFF -D MUBODY_BENCHMARKS=ON -D MUBODY_PEERS=$(if $(PEERS),ON,OFF) > /dev/null
	@cmake --build --preset release -j $(JOBS)
	@build/bin/mubody bench --largest 10000
	@$(if $(PEERS),build/bin/mubody_peers)
	@$(if $(PEERS),tools/peers.sh build/peers)
	@build/bin/mubody_bench
	@build/bin/mubody_size rows
	@build/bin/mubody_size bodies chain
	@build/bin/mubody_choices

## lint: check format, layers, habits and common mistakes
lint:
	@tools/setup.sh core lint
	@clang-format --dry-run -Werror $(SOURCES)
	@tools/check_layers.py
	@tools/check_tree.py
	@tools/check_docs.py
	@tools/check_citations.py
	@$(CMAKE) --preset lint > /dev/null
	@printf '%s\n' $(UNITS) | xargs -P $(JOBS) -n 1 clang-tidy --quiet -p build-lint 2> build-lint/clang-tidy.log
	@echo "mubody: nothing to object to"

## format: format all sources in place
format:
	@tools/setup.sh lint
	@clang-format -i $(SOURCES)

## pictures: draw the pictures of the documents with the program
pictures: build
	@tools/make_pictures.sh build/bin/mubody

## docs: try the commands of all documents, and make their site in build/site, with search and live reports; MUBODY=PROGRAM
docs: $(if $(MUBODY),,build studio)
	@tools/setup.sh docs
	@tools/check_commands.py $(or $(MUBODY),build/bin/mubody)
	@tools/make_site.py $(or $(MUBODY),build/bin/mubody) build/site

## docs-tables: write docs/reference/elements.md with the program
docs-tables: build
	@tools/make_reference.sh build/bin/mubody

## sanitize: all tests, but for those of the installation, under the address and undefined-behaviour sanitizers
sanitize:
	@tools/setup.sh core test
	@$(CMAKE) --preset sanitize > /dev/null
	@cmake --build --preset sanitize -j $(JOBS)
	@ctest --preset sanitize -j $(JOBS)

## thread: the tests of sweeps and FMUs, which run in threads, under the thread sanitizer
thread:
	@tools/setup.sh core test
	@$(CMAKE) --preset thread > /dev/null
	@cmake --build --preset thread -j $(JOBS)
	@ctest --preset thread -j $(JOBS)

## fuzz: look for input that breaks a reader, for TIME seconds on every target of tests/fuzz
TIME ?= 60
fuzz:
	@tools/setup.sh core fuzz
	@$(CMAKE) --preset fuzz > /dev/null
	@cmake --build --preset fuzz -j $(JOBS)
	@tools/fuzz.sh build-fuzz $(TIME) $(JOBS) $(TARGETS)

## wasm: the library as a WebAssembly module for pages, with its TypeScript, in build/wasm/web/module
wasm:
	@tools/setup.sh core studio
	@$(CMAKE) --preset wasm > /dev/null
	@cmake --build --preset wasm -j $(JOBS)
	@echo "mubody: the module is build/wasm/web/module/mubody.wasm"

## studio: the page in which mechanisms are drawn and move, build/studio.html; all is inside
studio: wasm
	@studio/packages.sh
	@node studio/build.mjs build build/wasm/web/module/mubody.wasm

## test-studio: the module in node and in a browser, all examples against the program; the studio, as a person uses it; MUBODY=PROGRAM
test-studio: ONLY = mubody_cli
test-studio: $(if $(MUBODY),,build) studio
	@tools/setup.sh core test studio
	@ctest --test-dir build/wasm --output-on-failure
	@node studio/test.mjs build/studio
	@node studio/fuzz.mjs build/wasm/web/module/mubody.wasm
	@node --test studio/test/*_page.mjs

## clean: remove everything that was built
clean:
	@rm -rf build build-debug build-sanitize build-thread build-fuzz build-lint

## help: this list
help:
	@sed -n 's/^## \([a-z-]*\): /  make \1\t/p' Makefile | expand -t 20
