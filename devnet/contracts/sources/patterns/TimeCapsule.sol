// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title A time capsule
/// @notice Keeps a note and some Ether for its owner until a day in the future.
contract TimeCapsule {
    event Opened(address indexed owner, uint256 value);

    /// @notice Only the owner opens the capsule.
    error NotOwner(address caller);

    /// @notice The capsule stays shut until `opensAt`.
    error TooEarly(uint256 opensAt);

    address public immutable owner;
    uint256 public immutable opensAt;
    string public note;

    constructor(address owner_, uint256 opensAt_, string memory note_) payable {
        owner = owner_;
        opensAt = opensAt_;
        note = note_;
    }

    /// @notice Pays the contents to the owner.
    function open() external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        if (block.timestamp < opensAt) revert TooEarly(opensAt);
        uint256 value = address(this).balance;
        emit Opened(owner, value);
        (bool sent,) = owner.call{value: value}("");
        require(sent, "owner refused the contents");
    }
}
