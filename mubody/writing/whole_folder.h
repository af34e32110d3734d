#pragma once
// A folder of files that belong together and appear together: a reader finds the old ones or the new ones.
//
// The files are written into a temporary folder, the workshop.  If the folder is not there, the workshop becomes it by one
// renaming.  If it has nothing but files of ours, the two are exchanged and the old one is removed.  Otherwise, as when
// it has files of the user too, is a link, a mount point or the current folder, the files are moved in one by one, with
// the workshop in the folder itself; meanwhile its head, the file that tells of the others, is replaced by one that
// says so, or is missing.                                                        docs/user/files.md
#include <functional>
#include <set>
#include <span>

#include "mubody/text/target.h"
#include "mubody/text/temporary.h"

namespace mubody::io {
using FileNames = std::set<std::string>;

/// What is known of folders of one kind.
struct FolderKind {
  /// The names of files that the program writes into such folders; no other is ever removed.
  KnownName known;
  /// The files in a folder that are plain files of the program and not of the user, known or not.
  std::function<FileNames(const std::filesystem::path&)> ours;
  /// The file that is moved in last.
  std::string head;
  /// The content of the head while files are replaced, given all old and new ones where they are before; the head is missing
  /// meanwhile if there is none.
  std::function<std::string(std::span<const std::filesystem::path>)> stand_in;
};

/// Throws WriteError if a file of these names is there and not ours; with force only if it is not a plain file.
void refuse_others(const std::filesystem::path& folder, const FolderKind&, const FileNames&, const Replacing&);

class WholeFolder {
 public:
  /// Makes the workshop, and removes those of killed programs.  Throws WriteError.
  WholeFolder(const std::filesystem::path& folder, FolderKind);
  WholeFolder(const WholeFolder&) = delete;
  WholeFolder& operator=(const WholeFolder&) = delete;
  /// Removes what was made, unless it has been put in place.
  ~WholeFolder();

  /// Where to write the files.
  const std::filesystem::path& workshop() const { return workshop_.path; }
  /// Replaces the files of ours in the folder by those in the workshop.  Throws WriteError; the workshop then stays, under a
  /// name that is not hidden, for what is in it may have taken hours.
  void put_in_place(const Replacing&);

 private:
  void hand_over() const;
  void place(const Replacing&);
  bool becomes_folder();
  bool exchange(const FileNames& ours);
  void move_in(const FileNames& names, const FileNames& ours);
  /// Returns where it is from now on.
  std::filesystem::path keep_workshop();

  std::filesystem::path folder_;
  FolderKind kind_;
  NewFolders above_;
  Temporary workshop_;
  bool inside_ = false;
};
}  // namespace mubody::io
